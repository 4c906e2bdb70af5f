import { askParser } from '../parser/ask-parser.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import { languageOf } from '../model/languages.ts'
import { isSettings } from './modules/module-settings.ts'
import { fileRecord } from './file-record.ts'
import type { FileRecord } from './table/entry.ts'
import { unparsedRecord } from './unparsed-record.ts'

/** What the index keeps of a file of this content, parsed in a process of its own; where that failed, why. */
export async function parseFileRecord(path: string, bytes: Uint8Array): Promise<FileRecord> {
  const language = languageOf(path)
  if (language === undefined || isSettings(path) || bytes.length > LARGEST) return fileRecord(path, bytes)
  const heard = await askParser({ job: 'facts', path, content: bytes })
  if ('value' in heard) return heard.value as FileRecord
  return unparsedRecord(language, heard.failed)
}
