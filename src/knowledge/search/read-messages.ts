import { nameFromBytes } from '../../machine/workspace/name.ts'
import { showLine } from './pattern/show-line.ts'
import type { LineMatches, MatchSink, OutputReader } from './match-sink.ts'

/** Arguments for the output that `readMessages` reads. */
export const MESSAGES_OUTPUT = ['--json']

const NEWLINE = 10

type Text = { readonly text: string } | { readonly bytes: string }
type Message =
  | { readonly type: 'begin'; readonly data: { readonly path: Text } }
  | { readonly type: 'match' | 'context'; readonly data: Lines }
  | { readonly type: 'end'; readonly data: { readonly binary_offset: number | null } }
  | { readonly type: 'summary'; readonly data: { readonly stats: { readonly searches: number } } }

interface Lines {
  readonly lines: Text
  readonly line_number: number
  readonly submatches: readonly { readonly start: number; readonly end: number }[]
}

/** Reads ripgrep's JSON lines, the only output that separates consecutive matches across lines. */
export const readMessages = (sink: MatchSink): OutputReader =>
  readJson(sink, ({ type, data }) =>
    sink.line(data.line_number, type === 'match', () => displayLines(bytesOf(data.lines)), matchesIn(data)),
  )

/** Reads the same output, with each match as a line of its own. */
export const readSingleMatches = (sink: MatchSink): OutputReader =>
  readJson(sink, ({ type, data }) => {
    if (type === 'context') return
    const bytes = bytesOf(data.lines)
    let [line, at] = [data.line_number, 0]
    for (const { start, end } of data.submatches) {
      for (let next = bytes.indexOf(NEWLINE, at); next >= 0 && next < start; next = bytes.indexOf(NEWLINE, at)) {
        line++
        at = next + 1
      }
      sink.line(line, true, () => displayLines(bytes.subarray(start, end)))
    }
  })

type Found = Message & { readonly type: 'match' | 'context' }

function readJson(sink: MatchSink, takeLines: (found: Found) => void): OutputReader {
  let rest: readonly Buffer[] = []
  const take = (message: Message): void => {
    if (message.type === 'begin') sink.file(nameFromBytes(bytesOf(message.data.path)).replace(/^\.\//, ''))
    else if (message.type === 'summary') sink.searched(message.data.stats.searches)
    else if (message.type === 'end') {
      if (message.data.binary_offset !== null) sink.binary()
    } else takeLines(message)
  }
  return bytes => {
    let at = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, at)) {
      take(JSON.parse(Buffer.concat([...rest, bytes.subarray(at, end)]).toString('utf8')))
      rest = []
      at = end + 1
    }
    if (at < bytes.length) rest = [...rest, bytes.subarray(at)]
  }
}

const bytesOf = (text: Text): Buffer => ('text' in text ? Buffer.from(text.text) : Buffer.from(text.bytes, 'base64'))

/** Splits a message, because ripgrep joins matches in adjacent lines. An inverted search has none. */
function matchesIn({ lines, submatches }: Lines): LineMatches | undefined {
  if (submatches.length === 0) return undefined
  return {
    count: submatches.length,
    places() {
      const bytes = bytesOf(lines)
      let [line, at] = [0, 0]
      const lineOf = (offset: number): number => {
        for (let end = bytes.indexOf(NEWLINE, at); end >= 0 && end < offset; end = bytes.indexOf(NEWLINE, at)) {
          line++
          at = end + 1
        }
        return line
      }
      return submatches.map(({ start, end }) => {
        const first = lineOf(start)
        const [firstLine, firstAt] = [line, at]
        const last = lineOf(Math.max(start, end - 1))
        // The next match may begin in the same line.
        ;[line, at] = [firstLine, firstAt]
        return [first, last] as const
      })
    },
  }
}

/** Formats each line like a search of single lines does. */
function displayLines(bytes: Buffer): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, at)
    lines.push(showLine(bytes, at, end < 0 ? bytes.length : end))
    at = end < 0 ? bytes.length : end + 1
  }
  return lines.join('\n')
}
