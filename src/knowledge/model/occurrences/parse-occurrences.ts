import { askParser } from '../../parser/ask-parser.ts'
import type { WrittenName } from './occurrence.ts'

/** The occurrences of a name in a source file, parsed in a separate process; undefined if it is not parsed. */
export async function parseOccurrences(
  path: string,
  text: string,
  name: string,
): Promise<readonly WrittenName[] | undefined> {
  const reply = await askParser({ job: 'occurrences', path, content: text, name })
  return 'value' in reply ? (reply.value as readonly WrittenName[] | undefined) : undefined
}
