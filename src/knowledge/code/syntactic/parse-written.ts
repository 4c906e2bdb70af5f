import { askParser } from '../../parser/ask-parser.ts'
import type { Written } from './written-names.ts'

/** Where a name is written in code, found in a process of its own; nowhere in a file that brings that down. */
export async function parseWritten(path: string, text: string, name: string): Promise<readonly Written[]> {
  const heard = await askParser({ job: 'written', path, content: text, name })
  return 'value' in heard ? (heard.value as readonly Written[]) : []
}
