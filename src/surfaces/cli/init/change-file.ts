import { basename } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { unifiedDiff } from '../../../machine/workspace/diff/diff.ts'
import type { ClientFile } from './clients.ts'
import { applyEdit, insertEntry, removeEntry, type Edit } from './edit-json.ts'
import { insertTable, removeTable } from './edit-toml.ts'
import { hashOf, readSettings, writeSettings, type SettingsFile } from './settings-file.ts'
import { dropUndo, readUndo, writeUndo, type ChangeKey } from './undo-record.ts'

type Place = Pick<ClientFile, 'file' | 'format' | 'path'>

/** A change of a settings file that is not written yet. */
export interface PlannedChange {
  readonly diff: string
  /** False if the file says so already. */
  readonly isChange: boolean
  /** Writes it. Throws if the file was changed meanwhile. */
  write(token?: string): void
}

/** Plans to put an entry into a client's file. */
export function planEntry(
  stateHome: string,
  key: ChangeKey,
  place: Place,
  entry: Readonly<Record<string, unknown>>,
): PlannedChange {
  const settings = readSettings(place.file)
  const edit = insertion(settings.text, place, entry)
  const after = Buffer.from(applyEdit(settings.text, edit))
  return {
    ...planned(place.file, settings, after),
    write(token) {
      const last = readUndo(stateHome, key)
      // A second change in a row is undone with the first.
      const isOurs = last && settings.bytes && hashOf(settings.bytes) === last.wrote
      const before = isOurs ? last.before : settings.bytes?.toString('base64')
      const record = {
        file: settings.place,
        ...(before !== undefined && { before }),
        wrote: hashOf(after),
        added: edit.added,
        removed: isOurs ? last.removed : edit.removed,
        ...(token !== undefined && { token }),
      }
      // Written first: a change without a record could not be taken back.
      writeUndo(stateHome, key, record)
      writeSettings(settings, after)
    },
  }
}

/** Plans to take our entry back: the bytes as they were, or without our entry if someone else has written since. */
export function planUndo(stateHome: string, key: ChangeKey, place: Place): PlannedChange & { readonly token?: string } {
  const settings = readSettings(place.file)
  const record = readUndo(stateHome, key)
  const after = bytesBefore(settings, record, place)
  return {
    ...planned(place.file, settings, after),
    ...(record?.token !== undefined && { token: record.token }),
    write() {
      writeSettings(settings, after)
      dropUndo(stateHome, key)
    },
  }
}

function bytesBefore(settings: SettingsFile, record: ReturnType<typeof readUndo>, place: Place): Buffer | undefined {
  const { bytes, text } = settings
  if (bytes && record && hashOf(bytes) === record.wrote)
    return record.before === undefined ? undefined : Buffer.from(record.before, 'base64')
  const edit = bytes && (spanOf(text, record, place) ?? removal(text, place))
  if (!edit)
    throw new ToolError('not_found', `There is nothing of ours in ${place.file}`, { hint: 'Nothing was changed' })
  return Buffer.from(applyEdit(text, edit))
}

/** The stretch that we put in, if it is still there as it was, and taking it out leaves a file without our entry. */
function spanOf(text: string, record: ReturnType<typeof readUndo>, place: Place): Edit | undefined {
  const at = record ? text.indexOf(record.added) : -1
  if (!record || at < 0 || text.indexOf(record.added, at + 1) >= 0) return undefined
  const edit = { at, removed: record.added, added: record.removed }
  try {
    const left = applyEdit(text, edit)
    return record.removed !== '' || removal(left, place) === undefined ? edit : undefined
  } catch {
    return undefined
  }
}

const removal = (text: string, { format, path }: Place): Edit | undefined =>
  format === 'json' ? removeEntry(text, path) : removeTable(text, path)

const insertion = (text: string, { format, path }: Place, entry: Readonly<Record<string, unknown>>): Edit =>
  format === 'json' ? insertEntry(text, path, entry) : insertTable(text, path, entry)

function planned(file: string, { bytes }: SettingsFile, after: Buffer | undefined) {
  const side = (content: Buffer | undefined) => content && { bytes: content, mode: 0o644 }
  const diff = unifiedDiff({ path: basename(file), before: side(bytes), after: side(after) })
  return { diff, isChange: bytes === undefined || after === undefined ? bytes !== after : !bytes.equals(after) }
}
