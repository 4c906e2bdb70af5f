import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UnparsedFile } from './types.ts'

const FILE = 'unparsed.json'

/** Records the unparsed files, for readers while no index is open. */
export function unparsedNote(directory: string): (files: readonly UnparsedFile[]) => void {
  let lastText = ''
  return files => {
    const text = JSON.stringify(files)
    if (text === lastText) return
    lastText = text
    try {
      writeFileSync(join(directory, FILE), text, { mode: 0o600 })
    } catch {
      // The note is only informative.
    }
  }
}

/** Returns the files left out when an index was last open. */
export function notedUnparsed(directory: string): readonly UnparsedFile[] {
  try {
    const note: unknown = JSON.parse(readFileSync(join(directory, FILE), 'utf8'))
    return Array.isArray(note) ? note.filter(isUnparsed) : []
  } catch {
    return []
  }
}

const isUnparsed = (value: unknown): value is UnparsedFile => {
  const { path, why } = Object(value)
  return typeof path === 'string' && typeof why === 'string'
}
