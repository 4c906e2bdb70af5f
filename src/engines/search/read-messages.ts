import { nameFromBytes } from '../workspace/name.ts'
import { showLine } from './pattern/show-line.ts'
import type { MatchSink, OutputReader } from './match-sink.ts'

/** What makes ripgrep print what `readMessages` reads. */
export const MESSAGES_OUTPUT = ['--json']

const NEWLINE = 10

type Text = { readonly text: string } | { readonly bytes: string }
type Message =
  | { readonly type: 'begin'; readonly data: { readonly path: Text } }
  | { readonly type: 'match' | 'context'; readonly data: { readonly lines: Text; readonly line_number: number } }
  | { readonly type: 'end'; readonly data: { readonly binary_offset: number | null } }
  | { readonly type: 'summary'; readonly data: { readonly stats: { readonly searches: number } } }

/** Reads ripgrep's JSON lines, the only output that tells where one match over several lines ends and the next begins. */
export function readMessages(sink: MatchSink): OutputReader {
  let rest: readonly Buffer[] = []
  const take = (message: Message): void => {
    if (message.type === 'begin') sink.file(nameFromBytes(bytesOf(message.data.path)).replace(/^\.\//, ''))
    else if (message.type === 'summary') sink.searched(message.data.stats.searches)
    else if (message.type === 'end') {
      if (message.data.binary_offset !== null) sink.binary()
    } else {
      const { lines, line_number } = message.data
      sink.line(line_number, message.type === 'match', () => shown(bytesOf(lines)))
    }
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

/** Each line as a search of single lines shows it. */
function shown(bytes: Buffer): string {
  const lines: string[] = []
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, at)
    lines.push(showLine(bytes, at, end < 0 ? bytes.length : end))
    at = end < 0 ? bytes.length : end + 1
  }
  return lines.join('\n')
}
