import { useState } from 'preact/hooks'
import { visible } from './visible-text.ts'

const LINES_OF_PAGE = 200

/** Text of a program or an agent, page by page. Codes of terminals are left out. */
export function Output({ title, text }: { readonly title: string; readonly text: string }) {
  const [pages, setPages] = useState(1)
  const lines = withoutCodes(text).split('\n')
  const shown = lines.slice(0, pages * LINES_OF_PAGE)
  const left = lines.length - shown.length
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <pre class="output" tabIndex={0}>
        {visible(shown.join('\n'))}
      </pre>
      {left > 0 && (
        <button type="button" class="button plain" onClick={() => setPages(pages + 5)}>
          {left.toLocaleString('en')} more lines
        </button>
      )}
    </section>
  )
}

/** Colours and cursor movements of a terminal, which say nothing here. */
// oxlint-disable-next-line no-control-regex -- such a character is what each of them begins with
const CODES = /\u001B(?:\[[\d;?]*[A-Za-z]|\][^\u0007]*\u0007)|\r(?=\n)/g

const withoutCodes = (text: string): string => text.replaceAll(CODES, '')
