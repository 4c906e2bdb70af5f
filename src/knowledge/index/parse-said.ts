import { askParser } from '../parser/ask-parser.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import { languageOf } from '../model/languages.ts'
import { isSettings } from './modules/module-settings.ts'
import { saidBy } from './said-by.ts'
import type { Said } from './table/entry.ts'
import { unparsedSaid } from './unparsed-said.ts'

/** What the index keeps of a file of this content, parsed in a process of its own; where that failed, why. */
export async function parseSaid(path: string, bytes: Uint8Array): Promise<Said> {
  const language = languageOf(path)
  if (language === undefined || isSettings(path) || bytes.length > LARGEST) return saidBy(path, bytes)
  const heard = await askParser({ job: 'facts', path, content: bytes })
  if ('value' in heard) return heard.value as Said
  return unparsedSaid(language, heard.failed)
}
