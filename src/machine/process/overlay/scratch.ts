import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { makePrivateDirectory } from '../../state/private-file.ts'
import { holdDirectory, linuxSys as sys, type Name } from '../../workspace/sys.ts'

const OVERLAYFS = 0x794c7630

/**
 * Returns the directory for layers: the state directory, unless it lies on an overlay, which cannot hold another's
 * upper layer.
 */
export function scratchDirectory(state: string): string {
  const ownPlace = join(state, 'commands')
  const candidates = [
    ownPlace,
    join(tmpdir(), `toolwright-${process.getuid?.() ?? 0}`),
    `/dev/shm/toolwright-${process.getuid?.() ?? 0}`,
  ]
  const usable = candidates.find(place => {
    try {
      makePrivateDirectory(place)
      const { uid, mode } = lstatSync(place)
      return uid === process.getuid?.() && (mode & 0o077) === 0 && statfsSync(place).type !== OVERLAYFS
    } catch {
      return false
    }
  })
  return usable ?? ownPlace
}

/** Marks the directory of a command whose changes are landing: it is completed, not swept. */
export const HELD = 'landing'

const swept = new Set<string>()

/** Creates a directory for one command, after removing those of dead processes. */
export function makeCommandDirectory(scratch: string): string {
  makePrivateDirectory(scratch)
  if (!swept.has(scratch)) sweep(scratch)
  swept.add(scratch)
  const place = join(scratch, freshName())
  mkdirSync(place, { mode: 0o700 })
  return place
}

/**
 * Removes a directory with everything that a command and the kernel left, including closed directories. Uses held
 * directories, because a survivor of a killed process may place an outward link.
 */
export function removeLayers(directory: string): void {
  if (!existsSync(directory)) return
  const parent = holdDirectory(dirname(directory))
  try {
    removeTree(parent, basename(directory))
  } finally {
    sys.close(parent)
  }
}

/**
 * Takes a tree apart level by level, however deep: moves each directory within it up beside it, under a name that a later
 * sweep would find.
 */
function removeTree(parent: number, name: Name): void {
  const pending = [name]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (!sys.lstat(parent, next)?.isDirectory()) {
      sys.unlink(parent, next)
      continue
    }
    const directory = openWritable(parent, next)
    try {
      for (const inner of sys.list(directory)) {
        if (!sys.lstat(directory, inner)?.isDirectory()) {
          sys.unlink(directory, inner)
          continue
        }
        // A directory that its owner may not write cannot be moved.
        sys.close(openWritable(directory, inner))
        const above = freshName()
        sys.rename(directory, inner, parent, above)
        pending.push(above)
      }
    } finally {
      sys.close(directory)
    }
    sys.rmdir(parent, next)
  }
}

function openWritable(parent: number, name: Name): number {
  const directory = sys.openDirectory(parent, name)
  if ((sys.fstat(directory).mode & 0o700n) !== 0o700n) sys.chmodHeld(directory, 0o700)
  return directory
}

const freshName = (): string => `${process.pid}-${randomBytes(6).toString('hex')}`

function sweep(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    const pid = Number(/^(\d+)-[0-9a-f]{12}$/.exec(name)?.[1] ?? NaN)
    if (!Number.isInteger(pid) || pid === process.pid || existsSync(`/proc/${pid}`)) continue
    if (!existsSync(join(scratch, name, HELD))) removeLayers(join(scratch, name))
  }
}
