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
const known = new WeakMap<State, FoundFile>()

/** Returns what staged changes add to the index and remove from it. */
export async function stagedChanges(
  index: RepositoryIndex,
  root: Root,
  staging: Staging,
  mayRead: (path: string) => boolean,
  waitMs?: number,
): Promise<NonNullable<Visibility['staged']>> {
  const view = createView(root, staging)
  const files: FoundFile[] = []
  const gone: string[] = []
  for (const [path, { state }] of staging.entries()) {
    if (state.type === 'directory') continue
    // A former directory has nothing below it any more.
    const wish = { limit: Number.MAX_SAFE_INTEGER, ...(waitMs !== undefined && { waitMs }) }
    const below = await index.query({ by: 'prefix', value: `${path}/` }, wish)
    for (const file of below.files) gone.push(file.path)
    if (state.type !== 'file' || !mayRead(path)) gone.push(path)
    else files.push(await stagedFile(view, path, state))
  }
  const put = new Set(files.map(({ path }) => path))
  return { files, gone: gone.filter(path => !put.has(path)) }
}

/** Returns a staged file with its facts. */
export async function stagedFile(view: View, path: string, state: State & { type: 'file' }): Promise<FoundFile> {
  const before = known.get(state)
  if (before?.path === path) return before
  const { size = 0, mtimeMs: noted = 0 } = entryOf(path, state) ?? {}
  // A file without a recorded staging time gets the time of the first look.
  const mtimeMs = noted === 0 ? Date.now() : noted
  const said = size > LARGEST ? {} : await parseFileRecord(path, view.bytes(state))
  const file = { path, size, mtimeMs, content: state.hash, ...said }
  known.set(state, file)
  return file
}
