import type { Change } from '../../kernel/change.ts'
import type { FindConcealer } from '../../kernel/conceal.ts'
import { directoryDiff, unifiedDiff, type FileSide } from './diff/diff.ts'
import { hashOf, type DiskState } from './disk.ts'
import { LINK_TYPE } from './identity.ts'
import { isRepositoryPath } from './path.ts'
import type { Staged, State } from './staged.ts'
import type { Staging } from './staging.ts'
import type { View } from './view.ts'

/** Returns the changes of the top layer against the layers below, a move as one change. */
export function changesOf(staging: Staging, view: View, conceal?: FindConcealer): Change[] {
  // Git's own files are no text; `repositoryChange` shows what they mean.
  const ownEntries = staging.own().filter(([path]) => !isRepositoryPath(path))
  const byPath = new Map(ownEntries)
  const origins = new Map(ownEntries.flatMap(([path, staged]) => originOf(path, staged)))
  const originPaths = new Set(origins.values())
  return ownEntries.flatMap(([path, staged]) => {
    const before = beforeOf(path, staged)
    const from = origins.get(path)
    if (from === undefined && originPaths.has(path) && staged.state.type === 'absent') return []
    return changeOf(path, from, before, staged.state)
  })

  function beforeOf(path: string, { base }: Staged): State | DiskState {
    return staging.below?.get(path)?.state ?? base
  }

  /** Returns the name that this layer moved the file from, if that name is free now and nothing was here before. */
  function originOf(path: string, staged: Staged): [string, string][] {
    const { state } = staged
    const from = 'source' in state ? state.source : 'movedFrom' in state ? state.movedFrom : undefined
    if (from === undefined || from === path || beforeOf(path, staged).type !== 'absent') return []
    const origin = byPath.get(from)
    const isMoveSource = origin?.state.type === 'absent' && beforeOf(from, origin).type !== 'absent'
    return isMoveSource ? [[path, from]] : []
  }

  function changeOf(path: string, from: string | undefined, here: State | DiskState, after: State): Change[] {
    const old = from === undefined ? here : (staging.below?.get(from)?.state ?? staging.get(from)?.base ?? here)
    const kind = kindOf(from, old, after)
    if (kind === undefined) return []
    const before = hashIn(old)
    const now = hashIn(after)
    const oldPath = from ?? path
    const mode = 'mode' in after ? after.mode : undefined
    return [
      {
        path,
        kind,
        ...(from !== undefined && { from }),
        ...(before !== undefined && { before }),
        ...(now !== undefined && { after: now }),
        ...(after.type === 'file' && { bytes: 'bytes' in after ? after.bytes.length : Number(after.identity.size) }),
        ...(mode !== undefined && { mode }),
        diff: () =>
          (after.type === 'directory' ? directoryDiff(path, after.mode) : '') + fileDiff(path, oldPath, old, after),
      },
    ]
  }

  function fileDiff(path: string, from: string, old: State | DiskState, now: State): string {
    const [before, after] = [sideOf(view, from, old), sideOf(view, path, now)]
    return unifiedDiff({ path, from, before, after, conceal: conceal?.() })
  }
}

/** Returns one side of a path's diff, or undefined without content. */
export function sideOf(view: View, path: string, state: State | DiskState): FileSide | undefined {
  if (state.type === 'symlink') return { bytes: Buffer.from(state.target), mode: 0o777, link: true }
  if (state.type !== 'file') return undefined
  if ('source' in state) return { bytes: view.bytes(state), mode: state.mode }
  if ('identity' in state)
    return { bytes: state.bytes ?? view.bytesOnDisk(path, state.identity), mode: state.identity.mode }
  // Undo restores a link that is stored as git stores one: its target as content.
  return (state.mode & LINK_TYPE) === LINK_TYPE
    ? { bytes: state.bytes, mode: 0o777, link: true }
    : { bytes: state.bytes, mode: state.mode }
}

function kindOf(from: string | undefined, old: State | DiskState, after: State): Change['kind'] | undefined {
  if (from !== undefined) return 'move'
  if (after.type === 'absent') return old.type === 'absent' ? undefined : 'delete'
  if (after.type === 'directory') return old.type === 'directory' ? undefined : 'mkdir'
  if (old.type === 'absent' || old.type === 'directory') return 'create'
  if (old.type === 'file' && after.type === 'file' && old.hash === after.hash)
    return modeOf(old) === after.mode ? undefined : 'mode'
  return 'change'
}

const modeOf = (state: State | DiskState): number | undefined =>
  'mode' in state ? state.mode : 'identity' in state ? state.identity.mode : undefined

const hashIn = (state: State | DiskState): string | undefined => {
  if (state.type === 'file') return state.hash
  // A plan must contain the target of a new link.
  return state.type === 'symlink' && !('source' in state) ? hashOf(Buffer.from(state.target)) : undefined
}
