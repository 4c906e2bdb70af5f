import type { Change } from '../../kernel/change.ts'
import { ToolError } from '../../kernel/error.ts'
import { dividedHunks, type LandedPart } from '../../kernel/hunks.ts'
import { changesOf, sideOf } from './changes.ts'
import { acceptHunks } from './diff/accept-hunks.ts'
import { hashOf, type DiskState } from './disk.ts'
import { nameFromBytes, nameToBytes } from './name.ts'
import { show } from './path.ts'
import type { Root } from './root.ts'
import type { State } from './staged.ts'
import type { Staging } from './staging.ts'
import { createView, type View } from './view.ts'

/**
 * Leaves only the accepted hunks staged, counted from 1 over all changes as a person saw them. The staging has no layer
 * below. Returns what is left of each change.
 */
export function acceptPart(root: Root, staging: Staging, acceptedNumbers: readonly number[]): readonly LandedPart[] {
  const view = createView(root, staging)
  const changes = changesOf(staging, view)
  const hunks = dividedHunks(changes.map(change => ({ ...change, diff: change.diff() })))
  const numbersToLand = new Set(acceptedNumbers)
  let first = 1
  const parts: LandedPart[] = []
  for (const [at, change] of changes.entries()) {
    const count = hunks[at]?.length ?? 0
    const numbers = Array.from({ length: count }, (_, index) => first + index)
    first += count
    const mine = numbers.map(number => numbersToLand.has(number))
    if (mine.every(Boolean)) {
      if (count > 0) parts.push(wholePart(change))
    } else if (mine.some(Boolean)) parts.push(stagePart(staging, view, change, mine))
    else unstage(staging, view, change)
  }
  for (const change of changes.filter(({ kind }) => kind === 'mkdir').toReversed())
    if (!staging.own().some(([path]) => path.startsWith(`${change.path}/`)) && !parts.some(isOf(change)))
      unstage(staging, view, change)
  if (acceptedNumbers.some(number => number < 1 || number >= first)) throw dividedAnew()
  return parts
}

const dividedAnew = (): ToolError =>
  new ToolError('conflict', 'What would land is not divided as it was when a person answered', {
    hint: 'Nothing has landed. Make the call again',
  })

const isOf =
  ({ path }: Change) =>
  (part: LandedPart): boolean =>
    part.path === path

const wholePart = ({ path, kind, from, after, bytes }: Change): LandedPart => ({
  path,
  kind,
  ...(from !== undefined && { from }),
  ...(after !== undefined && { hash: after }),
  ...(bytes !== undefined && { bytes }),
  places: [],
})

function stagePart(staging: Staging, view: View, { path, kind }: Change, mine: readonly boolean[]): LandedPart {
  const entry = staging.get(path)
  const [old, now] = [entry && sideOf(view, path, entry.base), entry && sideOf(view, path, entry.state)]
  if (!entry || !old || !now) throw new Error(`Only a part of ${show(path)} was accepted, and it has none`)
  const { text, places } = acceptHunks(nameFromBytes(old.bytes), nameFromBytes(now.bytes), hunk => mine[hunk] ?? false)
  const bytes = nameToBytes(text)
  if (!bytes) throw dividedAnew()
  const hash = hashOf(bytes)
  staging.set(path, entry.base, { type: 'file', bytes, hash, mode: now.mode })
  return { path, kind, hash, bytes: bytes.length, places }
}

/** Takes a change back, and with a move the name that it came from. */
function unstage(staging: Staging, view: View, { path, from }: Change): void {
  for (const name of from === undefined ? [path] : [path, from]) {
    const entry = staging.get(name)
    if (entry) staging.set(name, entry.base, stateOnDisk(view, name, entry.base))
  }
}

/** Returns a state on disk as a staged one, which the staging then drops. */
function stateOnDisk(view: View, path: string, base: DiskState): State {
  switch (base.type) {
    case 'absent':
      return base
    case 'directory':
      return { type: 'directory', mode: 0o755 }
    case 'symlink':
      return { type: 'symlink', target: base.target }
    case 'file': {
      const bytes = base.bytes ?? view.bytesOnDisk(path, base.identity)
      return { type: 'file', bytes, hash: base.hash, mode: base.identity.mode }
    }
  }
}
