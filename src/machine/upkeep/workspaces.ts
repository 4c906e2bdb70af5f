import { lstatSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { placesOf, type WorkspaceState } from '../state/directory.ts'

const Note = z.object({ root: z.string(), ino: z.string(), born: z.string() })

export interface FileFound {
  readonly path: string
  readonly bytes: number
  readonly mtimeMs: number
}

/** Returns every workspace in the state directory whose folder belongs to this user. */
export const workspacesIn = (home: string): WorkspaceState[] =>
  namesIn(join(home, 'workspaces')).flatMap(key => {
    const root = isOwn(join(home, 'workspaces', key)) ? noteOf(home, key)?.root : undefined
    return root === undefined ? [] : [placesOf(home, key, root)]
  })

/** A folder left by another user is ignored. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return process.getuid === undefined || stats?.uid === process.getuid()
}

/** Reports whether the directory of this state is gone or replaced by another. */
export function isAbandoned({ home, key }: WorkspaceState): boolean {
  const note = noteOf(home, key)
  const now = note && statSync(note.root, { bigint: true, throwIfNoEntry: false })
  return !now || String(now.ino) !== note.ino || String(now.birthtimeNs) !== note.born
}

/** Yields all files below a directory, skipping those that vanish during the walk. */
export function* filesBelow(directory: string): Generator<FileFound> {
  for (const name of namesIn(directory)) {
    const path = join(directory, name)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat?.isDirectory()) yield* filesBelow(path)
    else if (stat) yield { path, bytes: stat.size, mtimeMs: stat.mtimeMs }
  }
}

export function bytesBelow(directory: string): number {
  let bytes = 0
  for (const file of filesBelow(directory)) bytes += file.bytes
  return bytes
}

export function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return []
    throw error
  }
}

function noteOf(home: string, key: string): z.infer<typeof Note> | undefined {
  try {
    return Note.parse(JSON.parse(readFileSync(join(home, 'workspaces', key, 'workspace.json'), 'utf8')))
  } catch {
    return undefined
  }
}
