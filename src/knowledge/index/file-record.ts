import { decode } from '../model/decode.ts'
import { factsOf, LARGEST } from '../model/facts/facts-of.ts'
import { isSettings, moduleSettings } from '../../languages/javascript/modules/module-settings.ts'
import type { FileRecord } from './table/entry.ts'
import { packFacts } from './table/pack-facts.ts'
import { unparsedForSize } from './unparsed-record.ts'

/** Returns the index record of a file with this content. `decodedText`: its text, if the caller has it. */
export async function fileRecord(path: string, bytes: Uint8Array, decodedText?: string): Promise<FileRecord> {
  if (isSettings(path)) {
    const settings = bytes.length > LARGEST ? undefined : moduleSettings(path, decode(bytes))
    return settings ? { settings } : {}
  }
  const facts = await factsOf(path, bytes, decodedText)
  return facts ? { facts: packFacts(facts), ...(bytes.length > LARGEST && unparsedForSize(path)) } : {}
}
