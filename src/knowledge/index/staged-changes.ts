import type { Root } from '../../machine/workspace/root.ts'
import type { State } from '../../machine/workspace/staged.ts'
import type { Staging } from '../../machine/workspace/staging.ts'
import { createView, entryOf, type View } from '../../machine/workspace/view.ts'
import { LARGEST } from '../model/facts/facts-of.ts'
import type { RepositoryIndex } from './repository-index.ts'
import { parseFileRecord } from './parse-file-record.ts'
import type { Visibility } from './table/answer.ts'
import type { FoundFile } from './table/entry.ts'

/** A staged state is immutable; changes replace it. */
const fileByState = new WeakMap<State, FoundFile>()

/** Returns what staged changes add to the index and remove from it. */
export async function stagedChanges(
  index: Pick<RepositoryIndex, 'query'>,
  root: Root,
  staging: Staging,
  mayRead: (path: string) => boolean,
  waitMs?: number,
): Promise<NonNullable<Visibility['staged']>> {
  const view = createView(root, staging)
  const files: FoundFile[] = []
  const removedPaths: string[] = []
  for (const [path, { state }] of staging.entries()) {
    if (state.type === 'directory') continue
    // A former directory has nothing below it any more.
    const query = { by: 'prefix', value: `${path}/` } as const
    const wait = waitMs !== undefined && { waitMs }
    const below = await index.query({ query, limit: Number.MAX_SAFE_INTEGER, ...wait })
    for (const file of below.files) removedPaths.push(file.path)
    if (state.type !== 'file' || !mayRead(path)) removedPaths.push(path)
    else files.push(await stagedFile(view, path, state))
  }
  const put = new Set(files.map(({ path }) => path))
  return { files, gone: removedPaths.filter(path => !put.has(path)) }
}

/** Returns a staged file with its facts. */
export async function stagedFile(view: View, path: string, state: State & { type: 'file' }): Promise<FoundFile> {
  const before = fileByState.get(state)
  if (before?.path === path) return before
  const { size = 0, mtimeMs: entryMtime = 0 } = entryOf(path, state) ?? {}
  // A file without a recorded staging time gets the time of the first look.
  const mtimeMs = entryMtime === 0 ? Date.now() : entryMtime
  const record = size > LARGEST ? {} : await parseFileRecord(path, view.bytes(state))
  const file = { path, size, mtimeMs, content: state.hash, ...record }
  fileByState.set(state, file)
  return file
}
