import { useState } from 'preact/hooks'
import { act, wordsOf } from '../../api/request.ts'
import type { Envelope } from '../../api/shapes.ts'
import { Button } from '../../parts/button.tsx'
import { visible } from '../../parts/visible-text.ts'
import type { Asked } from '../../state/questions.ts'
import { showWhole } from './decisions.ts'

interface ReadPart {
  readonly content: string
  readonly totalLines?: number
  readonly to?: number
  readonly next?: { readonly from: number; readonly skip?: number }
}

/** What was too large for the question: loaded part by part, and only then there is a key for yes. */
export function WholeContent({ question }: { readonly question: Asked }) {
  const [text, setText] = useState('')
  const [left, setLeft] = useState<'all' | 'loading' | 'none' | string>('all')
  const load = async (): Promise<void> => {
    setLeft('loading')
    try {
      let all = ''
      for (let at: ReadPart['next'] | undefined = { from: 1 }; at;) {
        const input: object = { path: question.whole, ...at }
        const { ok, data, error }: Envelope<ReadPart> = await act('/v1/calls', { tool: 'read', input })
        if (!ok || !data) throw new Error(error?.message ?? 'It cannot be read')
        all += data.content
        setText(all)
        at = data.next
      }
      setLeft('none')
      showWhole(question.id, 0)
    } catch (error) {
      setLeft(wordsOf(error))
    }
  }
  return (
    <section class="card" aria-label="The whole change">
      <header>
        <span>The change is too large to be shown at once.</span>
        <span class="end">
          {left === 'none' ? (
            `${text.split('\n').length.toLocaleString('en')} lines, all shown`
          ) : (
            <Button isSmall isOff={left === 'loading'} onPress={() => void load()}>
              Show all of it
            </Button>
          )}
        </span>
      </header>
      {left !== 'all' && left !== 'loading' && left !== 'none' && <p class="body refused">{left}</p>}
      {text !== '' && <pre class="output whole">{visible(text)}</pre>}
    </section>
  )
}
