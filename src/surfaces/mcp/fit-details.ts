import { countOf } from '../../guards/approval/card.ts'
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
  const hiddenCounts = { lines: 0, characters: 0, files: 0, others: new Set<Detail['kind']>() }
  let text = ''
  let isFull = false
  for (const [at, { text: whole, kind }] of details.entries()) {
    const lines = whole.split('\n')
    const between = at > 0 && !(kind === 'a file' && details[at - 1]?.kind === 'a file') ? '; ' : ''
    const before = hiddenCounts.characters
    for (const [number, line] of lines.entries()) {
      const shownLine = `${number === 0 ? between : LINE_BREAK}${sanitize(line)}`
      isFull ||= text.length + shownLine.length > most
      if (!isFull) text += shownLine
      else if (line !== '') {
        hiddenCounts.lines++
        hiddenCounts.characters += line.length
      }
    }
    if (hiddenCounts.characters === before) continue
    if (kind === 'a file') hiddenCounts.files++
    else hiddenCounts.others.add(kind)
  }
  return {
    text: hiddenCounts.characters > 0 ? `${text}${text === '' ? '' : ' '}…` : text,
    hidden: inWords(hiddenCounts),
  }
}

function inWords(hidden: {
  readonly lines: number
  readonly characters: number
  readonly files: number
  readonly others: ReadonlySet<string>
}): readonly string[] {
  const { lines, characters, files, others } = hidden
  if (characters === 0) return []
  const of = [...(files > 0 ? [countOf(files, 'file')] : []), ...others]
  return [`${countOf(lines, 'line')} (${countOf(characters, 'character')}) of ${of.join(' and ')}`]
}
