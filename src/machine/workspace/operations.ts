import type { DiskState } from './disk.ts'
import { LINK_TYPE } from './identity.ts'
import { nameToBytes } from './name.ts'
import type { Base, Operation } from './operation.ts'
import type { Staged } from './staged.ts'

/**
 * Returns the steps from the base states on disk to the staged states. Deletes, moves or puts each path at most once,
 * in an order that works: names are freed first, directories are created before their contents and emptied before their
 * removal.
 */
export function operationsOf(entries: readonly (readonly [string, Staged])[]): Operation[] {
  const movedSources = new Set(
    entries.flatMap(([path, { state }]) => ('source' in state && state.source !== path ? [state.source] : [])),
  )
  const steps = entries.flatMap(([path, staged]) => stepsFor(path, staged, movedSources))
  const of = (kind: Operation['kind']) => steps.filter(step => step.kind === kind)
  return [...of('delete'), ...of('mkdir'), ...of('move'), ...of('rmdir').toReversed(), ...of('put'), ...of('mode')]
}

function stepsFor(path: string, { base, state }: Staged, moved: ReadonlySet<string>): Operation[] {
  const clear = clearing(path, base, moved)
  switch (state.type) {
    case 'absent':
      return clear
    case 'directory':
      return base.type === 'directory' ? [] : [...clear, { kind: 'mkdir', path, mode: state.mode }]
    case 'symlink': {
      if ('source' in state) return [{ kind: 'move', from: state.source, to: path, base: state.identity }]
      const bytes = nameToBytes(state.target) ?? Buffer.from(state.target)
      const put: Operation = { kind: 'put', path, bytes, mode: LINK_TYPE | 0o777, base: baseOf(base) }
      return base.type === 'directory' ? [...clear, put] : [put]
    }
    case 'file': {
      const { mode } = state
      if (!('source' in state)) {
        const put: Operation = { kind: 'put', path, bytes: state.bytes, hash: state.hash, mode, base: baseOf(base) }
        return base.type === 'directory' ? [...clear, put] : [put]
      }
      if (state.source === path) return [{ kind: 'mode', path, mode, base: state.identity }]
      const move: Operation = { kind: 'move', from: state.source, to: path, base: state.identity }
      return [mode === state.identity.mode ? move : { ...move, mode }]
    }
  }
}

/** Returns the steps that free a name; none for the source of a move, which the move itself frees. */
function clearing(path: string, base: DiskState, moved: ReadonlySet<string>): Operation[] {
  if (base.type === 'absent' || moved.has(path)) return []
  return base.type === 'directory' ? [{ kind: 'rmdir', path }] : [{ kind: 'delete', path, base: base.identity }]
}

const baseOf = (base: DiskState): Base => (base.type === 'file' || base.type === 'symlink' ? base.identity : 'absent')
