import { ToolError } from '../../../kernel/error.ts'
import { hashOf, type DiskState } from '../../workspace/disk.ts'
import { show } from '../../workspace/path.ts'
import { indexContent } from '../../workspace/index-content.ts'
import { isIndexPath } from '../../workspace/repository-path.ts'
import type { State } from '../../workspace/staged.ts'
import type { Staging } from '../../workspace/staging.ts'
import type { Look, View } from '../../workspace/view.ts'
import type { LayerChange, ChangedFile } from './layer-change.ts'
import { isGitPath } from './git-paths.ts'
import { movedAway } from './read-upper.ts'

interface StageParts {
  readonly view: View
  readonly staging: Staging
  /** Disk time before the command. Anything newer comes from another program. */
  readonly begun: bigint
}

const MOST_BYTES = 512 * 1024 ** 2

interface Step {
  readonly path: string
  readonly base: DiskState
  readonly state: State
}

/**
 * Stages a command's changes over the tree that it saw. Throws `conflict` if another program changed the same paths.
 */
export function stageChanges({ view, staging, begun }: StageParts, changes: readonly LayerChange[]): void {
  refuseLarge(changes)
  // All are checked before the first is staged, because the view shows staged changes.
  const steps = changes.flatMap(one => stepFor(one))
  for (const { path, base, state } of withMoves(steps, staging)) staging.set(path, base, state)

  function stepFor(one: LayerChange): Step[] {
    if (one.fresh) return [{ path: one.path, base: { type: 'absent' }, state: stateOf(one) }]
    return view.look(one.path, { link: true }, look => {
      if (look.located.rel !== one.path) throw movedAway(one.path)
      refuseYounger(look)
      if (look.type === 'other') throw unstageable(one.path)
      const base = comparable(view, one.path, view.base(look))
      const state = stateOf(one)
      return isSame(look, base, state) ? [] : [{ path: one.path, base, state }]
    })
  }

  function refuseYounger({ located: { rel, stats } }: Look): void {
    if (staging.get(rel) === undefined && isYounger(stats, begun)) throw changedMeanwhile(rel)
  }
}

/** Git refreshes the file status in its index at any time, so what it says is compared when the change lands. */
function comparable(view: View, path: string, base: DiskState): DiskState {
  if (!isIndexPath(path) || base.type !== 'file') return base
  return { ...base, hash: indexContent(view.bytesOnDisk(path, base.identity)) ?? base.hash }
}

/** A directory's own time only says that an entry was added or removed, which is harmless. */
export const isYounger = (
  stats: { readonly ctimeNs: bigint; isDirectory(): boolean } | undefined,
  begun: bigint,
): boolean => stats !== undefined && !stats.isDirectory() && stats.ctimeNs > begun

export const changedMeanwhile = (path: string): ToolError =>
  new ToolError('conflict', `${show(path)} was changed by another program while the command ran`, {
    hint: 'All changes of the command were discarded. Look at the file, then run the command again.',
    details: { path },
  })

const unstageable = (path: string): ToolError =>
  new ToolError('not_a_file', `The command changed ${show(path)}, which is not a regular file`, {
    hint: 'Pipes, sockets and devices cannot be staged; have the command leave it alone.',
  })

function refuseLarge(made: readonly LayerChange[]): void {
  const bytes = made.reduce((sum, one) => sum + (one.type === 'file' ? one.size : 0), 0)
  if (bytes <= MOST_BYTES) return
  const largest = made.reduce((most, one) => (one.type === 'file' && one.size > (most?.size ?? 0) ? one : most), FIRST)
  throw new ToolError(
    'quota',
    `The command left ${Math.ceil(bytes / 1024 ** 2)} MB in files that git does not ignore, ${show(largest?.path ?? '')} the largest; at most ${MOST_BYTES / 1024 ** 2} MB are kept`,
    { hint: 'Have it write to /tmp or to a directory that git ignores.' },
  )
}

const FIRST: ChangedFile | undefined = undefined

function stateOf(one: LayerChange): State {
  if (one.type === 'absent') return { type: 'absent' }
  if (one.type === 'directory') return { type: 'directory', mode: one.mode }
  if (one.type === 'symlink') return { type: 'symlink', target: one.target }
  const bytes = bytesOf(one)
  return { type: 'file', bytes, hash: hashOf(bytes), mode: one.mode }
}

export const bytesOf = ({ at }: ChangedFile): Buffer => at.layer.bytes(at.path)

function isSame({ seen, type }: Look, base: DiskState, state: State): boolean {
  if (state.type !== type) return false
  if (state.type === 'file') {
    const hash = seen.type === 'file' ? seen.hash : base.type === 'file' ? base.hash : undefined
    const mode = seen.type === 'file' ? seen.mode : base.type === 'file' ? base.identity.mode : undefined
    return state.hash === hash && state.mode === mode
  }
  if (state.type !== 'symlink') return true
  const target = seen.type === 'symlink' ? seen.target : base.type === 'symlink' ? base.target : undefined
  return state.target === target
}

/** Pairs a deleted file with a new one of the same bytes as a move. Prefers the same name among several. */
function withMoves(steps: readonly Step[], staging: Staging): Step[] {
  const sources = new Map<string, (Step & { base: Extract<DiskState, { type: 'file' }> })[]>()
  for (const step of steps) {
    const { path, base, state } = step
    if (state.type !== 'absent' || base.type !== 'file' || base.identity.size === 0n || staging.get(path)) continue
    // Each file of git is what it is by its name.
    if (isGitPath(path)) continue
    sources.set(base.hash, [...(sources.get(base.hash) ?? []), { ...step, base }])
  }
  return steps.map(step => {
    const { path, base, state } = step
    if (state.type !== 'file' || !('bytes' in state) || base.type !== 'absent' || staging.get(path)) return step
    const sourcesLeft = sources.get(state.hash) ?? []
    const source = sourcesLeft.find(one => lastOf(one.path) === lastOf(path)) ?? sourcesLeft[0]
    if (source === undefined) return step
    sources.set(
      state.hash,
      sourcesLeft.filter(one => one !== source),
    )
    const { identity, hash } = source.base
    return { path, base, state: { type: 'file', source: source.path, identity, hash, mode: state.mode } }
  })
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
