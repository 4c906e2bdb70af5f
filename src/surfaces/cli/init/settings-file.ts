import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { writePrivateFile } from '../../../machine/state/private-file.ts'

/** A settings file of another program, whose bytes and mode are kept. */
export interface SettingsFile {
  /** Where the bytes are: the target of a link. */
  readonly place: string
  /** Undefined if there is no file. */
  readonly bytes: Buffer | undefined
  readonly text: string
}

/** Reads a settings file. Refuses one that is no UTF-8: writing it again would change it. */
export function readSettings(file: string): SettingsFile {
  if (!lstatSync(file, { throwIfNoEntry: false })) return { place: file, bytes: undefined, text: '' }
  const place = realpathSync(file)
  const bytes = readFileSync(place)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text).equals(bytes))
    throw new ToolError('invalid_input', `${file} is not UTF-8`, { hint: 'Nothing was changed' })
  return { place, bytes, text }
}

/** Replaces the bytes of a file if they are still those that were read; without bytes it removes the file. */
export function writeSettings({ place, bytes: before }: SettingsFile, after: Buffer | undefined): void {
  const now = statSync(place, { throwIfNoEntry: false })
  if (now ? !before || !readFileSync(place).equals(before) : before !== undefined)
    throw new ToolError('conflict', `${place} was changed meanwhile`, { hint: 'Run the command again' })
  if (after === undefined) return rmSync(place, { force: true })
  mkdirSync(dirname(place), { recursive: true })
  writePrivateFile(place, after)
  if (now) chmodSync(place, now.mode & 0o777)
}

export const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
