import { randomBytes } from 'node:crypto'
import { readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivateDirectory, writePrivateFile } from '../state/private-file.ts'
import { isRunning, thisProcess, type ProcessIdentity } from '../state/process-identity.ts'
import type { Root } from '../workspace/root.ts'
import { sweepLeftBehind, type LeftBehind } from './overlay/left-behind.ts'
import { endSurvivors } from './sandbox/running-records.ts'

/** Stored while a background command runs, so that a later process knows what the command may have left behind. */
interface Mark {
  readonly owner: ProcessIdentity
  /** Contents of the workspace when the command started. */
  readonly before: readonly (readonly [string, string])[]
}

/** Records the start of a background command. Returns a function that removes the record after the final sweep. */
export function markBackground(directory: string, before: LeftBehind): () => void {
  makePrivateDirectory(directory)
  const file = join(directory, `${randomBytes(8).toString('hex')}.json`)
  const mark: Mark = { owner: thisProcess(), before: [...before] }
  writePrivateFile(file, `${JSON.stringify(mark)}\n`)
  return () => rmSync(file, { force: true })
}

/** Sweeps up after background commands whose process died before it could. Returns what it did, in words. */
export function sweepAbandoned(root: Root, directory: string): readonly string[] {
  return readdirSync(directory).flatMap(name => {
    if (!name.endsWith('.json')) return []
    const file = join(directory, name)
    const mark = markIn(file)
    if (mark !== undefined && isRunning(mark.owner)) return []
    // A command that still runs would undo the sweep.
    endSurvivors()
    const actions = mark === undefined ? [UNKNOWN] : sweepLeftBehind(root, new Map(mark.before) as LeftBehind)
    rmSync(file, { force: true })
    return actions
  })
}

const UNKNOWN =
  'A background command ran here, and its record of the workspace before is damaged: look for repositories, named pipes and set-id bits that you do not know'

function markIn(file: string): Mark | undefined {
  try {
    const { owner, before } = JSON.parse(readFileSync(file, 'utf8'))
    return typeof owner.pid === 'number' && typeof owner.start === 'string' && Array.isArray(before)
      ? { owner, before }
      : undefined
  } catch {
    return undefined
  }
}
