import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { droppableSegments, dropSegments } from '../journal/drop-segments.ts'
import type { WorkspaceState } from './directory.ts'
import { filesBelow, namesIn, type FileFound } from './workspaces.ts'

/** Something in the state of a workspace that may go. */
export interface Candidate {
  readonly what: string
  readonly mtimeMs: number
  /** Returns the bytes that went. */
  remove(): number
}

/** What goes when it is old or when room is needed: payloads, closed files of the journal, torn tails. */
export const expendable = (state: WorkspaceState): Candidate[] => [
  ...Array.from(filesBelow(state.payloads), file => fileCandidate(`payloads of ${state.root}`, file)),
  ...[...filesBelow(state.journal)]
    .filter(({ path }) => /journal\.torn-\d+$/.test(path))
    .map(file => fileCandidate(`torn journal lines of ${state.root}`, file)),
  ...segments(state),
]

/** What goes only when nobody touched it for long: changes that somebody staged and never committed. */
export const staleTransactions = (state: WorkspaceState): Candidate[] =>
  namesIn(state.transactions).map(name => {
    const path = join(state.transactions, name)
    return {
      what: `transaction ${name} of ${state.root}`,
      mtimeMs: newestIn(path),
      remove: () => removeTree(path),
    }
  })

/** What processes that died left half-written. */
export const leftovers = (state: WorkspaceState): Candidate[] =>
  [...filesBelow(state.path)]
    .filter(({ path }) => /[/\\](?:\.[0-9a-f]{12}|[^/\\]+\.[0-9a-f]{12}\.tmp)$/.test(path))
    .map(file => fileCandidate(`half-written files of ${state.root}`, file))

/** All that is known of a workspace. */
export const everything = (state: WorkspaceState): Candidate => ({
  what: `everything about ${state.root}, which is gone`,
  mtimeMs: newestIn(state.path),
  remove: () => removeTree(state.path) + removeTree(state.head),
})

function segments(state: WorkspaceState): Candidate[] {
  const options = { lock: state.journalLock, headFile: state.head }
  return droppableSegments(state.journal).flatMap(({ name, path }) => {
    const mtimeMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (mtimeMs === undefined) return []
    const remove = () => dropSegments(state.journal, name, options).reduce((sum, { bytes }) => sum + bytes, 0)
    return [{ what: `old journal of ${state.root}`, mtimeMs, remove }]
  })
}

function fileCandidate(what: string, { path, bytes, mtimeMs }: FileFound): Candidate {
  const remove = (): number => {
    // Put again since we looked: young again.
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs !== mtimeMs) return 0
    rmSync(path, { force: true })
    return bytes
  }
  return { what, mtimeMs, remove }
}

function newestIn(path: string): number {
  let newest = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
  for (const { mtimeMs } of filesBelow(path)) newest = Math.max(newest, mtimeMs)
  return newest
}

function removeTree(path: string): number {
  let bytes = statSync(path, { throwIfNoEntry: false })?.isFile() ? statSync(path).size : 0
  for (const file of filesBelow(path)) bytes += file.bytes
  rmSync(path, { recursive: true, force: true })
  return bytes
}
