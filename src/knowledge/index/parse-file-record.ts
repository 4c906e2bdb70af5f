import { languageOf } from '../../languages/registry.ts'
import { askParser } from '../parser/ask-parser.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import { isSettings } from '../../languages/javascript/modules/module-settings.ts'
import { fileRecord } from './file-record.ts'
import type { FileRecord } from './table/entry.ts'
import { unparsedRecord } from './unparsed-record.ts'

/**
 * Returns the index record of a file with this content, parsed in another process. Contains the reason if parsing
 * failed.
 */
export async function parseFileRecord(path: string, bytes: Uint8Array): Promise<FileRecord> {
  const language = languageOf(path)
  if (language === undefined || isSettings(path) || bytes.length > LARGEST) return fileRecord(path, bytes)
  const reply = await askParser({ job: 'facts', path, content: bytes })
  if ('value' in reply) return reply.value as FileRecord
  return unparsedRecord(language, reply.failed)
}
