import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { changedWords, type Span } from './changed-words.ts'
import { sideBySide } from './side-by-side.ts'
import { languageOf, tokensOf, type Token } from './syntax.ts'
import type { DiffHunk, DiffLine } from './unified-diff.ts'
import { visible } from './visible-text.ts'

interface DiffProps {
  readonly path: string
  readonly hunk: DiffHunk
  readonly isSplit?: boolean
  /** Lines shown at first; the rest is a press away. */
  readonly most?: number
  readonly onWhole?: () => void
}

/** The lines of one hunk, with colours, and marks on the words that differ. */
export function Diff({ path, hunk, isSplit = false, most = 400, onWhole }: DiffProps) {
  const [isWhole, setWhole] = useState(hunk.lines.length <= most)
  const lines = isWhole ? hunk.lines : hunk.lines.slice(0, most)
  const content = contentOf(path, lines)
  const showAll = (): void => {
    setWhole(true)
    onWhole?.()
  }
  return (
    <>
      <table class="diff" aria-label={`Change of ${visible(path)}`}>
        <tbody>
          {isSplit
            ? splitRows(lines, content)
            : lines.map((line, at) => <LineRow key={at} line={line} content={content(line)} />)}
        </tbody>
      </table>
      {!isWhole && (
        <p class="cut-note">
          {hunk.lines.length.toLocaleString('en')} lines, {most} shown.{' '}
          <button type="button" class="button plain" onClick={showAll}>
            Show the rest
          </button>
        </p>
      )}
    </>
  )
}

const SIGNS = { add: '+', remove: '−', context: '' } as const

const LineRow = ({ line, content }: { readonly line: DiffLine; readonly content: ComponentChildren }) => (
  <tr class={line.kind}>
    <td class="number">{line.before}</td>
    <td class="number">{line.after}</td>
    <td class="sign">{SIGNS[line.kind]}</td>
    <td class="text">{content}</td>
  </tr>
)

const splitRows = (lines: readonly DiffLine[], content: (line: DiffLine) => ComponentChildren) =>
  sideBySide(lines).map(([before, after], at) => (
    <tr key={at} class="split">
      <td class={`number ${before?.kind ?? ''}`}>{before?.before}</td>
      <td class={`text ${before?.kind ?? ''}`}>{before && content(before)}</td>
      <td class={`number ${after?.kind ?? ''}`}>{after?.after}</td>
      <td class={`text ${after?.kind ?? ''}`}>{after && content(after)}</td>
    </tr>
  ))

/** Returns how a line is drawn. Old and new text are coloured apart, so that each is whole. */
function contentOf(path: string, lines: readonly DiffLine[]): (line: DiffLine) => ComponentChildren {
  const language = languageOf(path)
  const words = changedWords(lines)
  const tokens = new Map<DiffLine, readonly Token[]>()
  for (const side of ['remove', 'add'] as const) {
    const own = lines.filter(({ kind }) => kind === side || kind === 'context')
    const coloured = tokensOf(own.map(({ text }) => text).join('\n'), language)
    for (const [at, line] of own.entries()) if (coloured?.[at]) tokens.set(line, coloured[at])
  }
  return line => pieces(tokens.get(line) ?? [{ text: line.text, kind: undefined }], words.get(line))
}

/** Draws the tokens of a line, divided where a mark begins or ends. */
function pieces(tokens: readonly Token[], mark: Span | undefined): ComponentChildren {
  let at = 0
  const parts = tokens.flatMap(({ text, kind }) => {
    const start = at
    at += text.length
    const cuts = mark ? [mark.from, mark.to].map(cut => Math.min(Math.max(cut - start, 0), text.length)) : []
    const [from = text.length, to = text.length] = cuts
    return [
      { text: text.slice(0, from), kind, isMarked: false },
      { text: text.slice(from, to), kind, isMarked: true },
      { text: text.slice(to), kind, isMarked: false },
    ].filter(part => part.text !== '')
  })
  return parts.map(({ text, kind, isMarked }, index) => {
    const shown = visible(text)
    const content = kind === undefined ? shown : <span class={`t-${kind}`}>{shown}</span>
    return isMarked ? <mark key={index}>{content}</mark> : <span key={index}>{content}</span>
  })
}
