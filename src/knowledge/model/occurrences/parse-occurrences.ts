import { askParser } from '../../parser/ask-parser.ts'
import type { WrittenName } from './occurrence.ts'

/** Where and how a file of source code writes a name, found in a process of its own; undefined if it is not parsed. */
export async function parseOccurrences(
  path: string,
  text: string,
  name: string,
): Promise<readonly WrittenName[] | undefined> {
  const heard = await askParser({ job: 'occurrences', path, content: text, name })
  return 'value' in heard ? (heard.value as readonly WrittenName[] | undefined) : undefined
}
