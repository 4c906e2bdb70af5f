import { languageOf } from '../../../languages/registry.ts'
import { LARGEST } from '../facts/facts-of.ts'
import { askParser, wordsForUnparsed } from '../../parser/ask-parser.ts'
import type { SyntaxFile } from '../../../languages/file-model/syntax-file.ts'

/** Reads a file with exact places in a separate process; undefined if its language is unknown. */
export async function parseSyntax(path: string, text: string): Promise<SyntaxFile | undefined> {
  if (languageOf(path) === undefined || text.length > LARGEST) return undefined
  const reply = await askParser({ job: 'syntax', path, content: text })
  if ('value' in reply) return reply.value as SyntaxFile | undefined
  return { spans: [], comments: [], literals: [], error: { at: 0, message: wordsForUnparsed(reply.failed) } }
}
