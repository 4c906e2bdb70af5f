import type { Concealer } from '../../kernel/conceal.ts'
import { oncePer } from '../../kernel/once.ts'
import { showLine } from './pattern/show-line.ts'
import { splitLines } from './split-lines.ts'
import type { GrepMatch } from './types.ts'

/** A larger file is not searched for secrets. */
const LARGEST_BYTES = 256 * 1024 * 1024
const NOT_SHOWN = '[not shown: the file could not be searched for secrets]'

interface ConcealOptions {
  readonly conceal: Concealer
  /** Returns the text of a file in UTF-8, as it was searched; undefined if it cannot be read any more. */
  readonly read: (path: string) => Buffer | undefined
  /** Each match is only a part of its line. */
  readonly onlyMatching?: boolean | undefined
}

/** Conceals secrets in lines that were found, judged in their whole file: a line may hold only a part of a secret. */
export function concealMatches(
  matches: readonly GrepMatch[],
  { conceal, read, onlyMatching = false }: ConcealOptions,
): readonly GrepMatch[] {
  const linesOf = oncePer((path: string) => concealedLines(read(path), conceal))
  return matches.map(match => {
    const lines = linesOf(match.path)
    if (lines === undefined) return match
    const { line, text, context } = match
    const first = line - 1
    const next = first + text.split('\n').length
    const shownTexts = (texts: readonly string[], from: number) =>
      texts.map((each, at) => lines(from + at)?.shown ?? each)
    return {
      ...match,
      text: onlyMatching ? onlyOf(text, first, next, lines) : shownTexts(text.split('\n'), first).join('\n'),
      ...(context && {
        context: {
          before: shownTexts(context.before, first - context.before.length),
          after: shownTexts(context.after, next),
        },
      }),
    }
  })
}

interface ConcealedLine {
  /** As an answer shows it. */
  readonly shown: string
  readonly whole: string
  readonly without: string
}

type Lines = (number: number) => ConcealedLine | undefined

/** Returns the lines that hold a part of a secret, by number from 0; undefined if none does. */
function concealedLines(bytes: Buffer | undefined, { part }: Concealer): Lines | undefined {
  if (!bytes || bytes.length > LARGEST_BYTES) return () => ({ shown: NOT_SHOWN, whole: '', without: NOT_SHOWN })
  const safeBytes = part(bytes, 0, bytes.length)
  if (safeBytes.equals(bytes)) return undefined
  const [before, after] = [bytes, safeBytes].map(splitLines)
  return number => {
    const [whole, without] = [before?.[number], after?.[number]]
    if (whole === undefined || without === undefined || whole.equals(without)) return undefined
    return { shown: showLine(without, 0, without.length), whole: whole.toString(), without: without.toString() }
  }
}

const MARKER = /\[redacted:[^\]]*\]/g

/** Returns a match if it stands nowhere in a secret of its lines, else the markers of these. */
function onlyOf(text: string, first: number, next: number, linesOf: Lines): string {
  const lines = Array.from({ length: next - first }, (_, at) => linesOf(first + at)).filter(line => line !== undefined)
  if (lines.length === 0) return text
  const [only] = lines
  const isApart =
    next - first === 1 && only && countOf(text, only.whole) === countOf(text, only.without.replaceAll(MARKER, '\0'))
  if (isApart && countOf(text, only.whole) > 0) return text
  return lines
    .map(({ without }) => [...without.matchAll(MARKER)].map(([marker]) => marker).join(' ') || without)
    .join('\n')
}

const countOf = (text: string, line: string): number => (text === '' ? 0 : line.split(text).length - 1)
