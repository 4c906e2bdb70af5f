import { counted } from '../../guards/approval/card.ts'
import { sanitize } from '../../kernel/sanitize.ts'

/** A text that belongs to the details of a question. */
export interface Detail {
  readonly text: string
  /** What it is, for the words that say how much of it is not shown. */
  readonly kind: 'a file' | 'the parameters' | 'the explanation'
}

interface FittedDetails {
  /** One line, because the place where it is shown loses line breaks. */
  readonly text: string
  /** What does not fit, in words. */
  readonly hidden: readonly string[]
}

const LINE_BREAK = String.raw`\n`

/** Shows texts from their beginning, as far as they fit, and counts what does not. */
export function fitDetails(details: readonly Detail[], most: number): FittedDetails {
  const hidden = { lines: 0, characters: 0, files: 0, others: new Set<Detail['kind']>() }
  let text = ''
  let isFull = false
  for (const [at, { text: whole, kind }] of details.entries()) {
    const lines = whole.split('\n')
    const between = at > 0 && !(kind === 'a file' && details[at - 1]?.kind === 'a file') ? '; ' : ''
    const before = hidden.characters
    for (const [number, line] of lines.entries()) {
      const shown = `${number === 0 ? between : LINE_BREAK}${sanitize(line)}`
      isFull ||= text.length + shown.length > most
      if (!isFull) text += shown
      else if (line !== '') {
        hidden.lines++
        hidden.characters += line.length
      }
    }
    if (hidden.characters === before) continue
    if (kind === 'a file') hidden.files++
    else hidden.others.add(kind)
  }
  return { text: hidden.characters > 0 ? `${text}${text === '' ? '' : ' '}…` : text, hidden: inWords(hidden) }
}

function inWords(hidden: {
  readonly lines: number
  readonly characters: number
  readonly files: number
  readonly others: ReadonlySet<string>
}): readonly string[] {
  const { lines, characters, files, others } = hidden
  if (characters === 0) return []
  const of = [...(files > 0 ? [counted(files, 'file')] : []), ...others]
  return [`${counted(lines, 'line')} (${counted(characters, 'character')}) of ${of.join(' and ')}`]
}
