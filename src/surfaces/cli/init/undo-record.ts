import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { hashOf } from './settings-file.ts'
import { makePrivateDirectory, readOwnFile, writePrivateFile } from '../../../machine/state/private-file.ts'

const Record = z.strictObject({
  file: z.string(),
  /** The bytes before the first change, in base64; absent if there was no file. */
  before: z.string().optional(),
  /** The hash of the bytes that we wrote last. */
  wrote: z.string(),
  /** The text that we put in, and the text that it replaced. */
  added: z.string(),
  removed: z.string(),
  /** The name of the token that was made for the client. */
  token: z.string().optional(),
})

/** What `init` did for one client of a workspace, so that it can be undone. */
type UndoRecord = z.infer<typeof Record>

/** One change that can be undone: a client's entry in a file. */
export interface ChangeKey {
  readonly client: string
  readonly file: string
  readonly path: readonly string[]
}

function placeOf(stateHome: string, { client, file, path }: ChangeKey): string {
  const directory = join(stateHome, 'init')
  makePrivateDirectory(directory)
  return join(directory, `${client}-${hashOf(Buffer.from(JSON.stringify([file, ...path]))).slice(0, 16)}.json`)
}

export function readUndo(stateHome: string, key: ChangeKey): UndoRecord | undefined {
  const place = placeOf(stateHome, key)
  if (!statSync(place, { throwIfNoEntry: false })) return undefined
  const record = Record.safeParse(JSON.parse(readOwnFile(place).toString('utf8')))
  return record.success ? record.data : undefined
}

export const writeUndo = (stateHome: string, key: ChangeKey, record: UndoRecord): void =>
  writePrivateFile(placeOf(stateHome, key), JSON.stringify(record))

export const dropUndo = (stateHome: string, key: ChangeKey): void => rmSync(placeOf(stateHome, key), { force: true })
