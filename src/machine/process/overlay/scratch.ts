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
  const own = join(state, 'commands')
  const fits = [
    own,
    join(tmpdir(), `toolwright-${process.getuid?.() ?? 0}`),
    `/dev/shm/toolwright-${process.getuid?.() ?? 0}`,
  ]
  const found = fits.find(place => {
    try {
      makePrivateDirectory(place)
      const { uid, mode } = lstatSync(place)
      return uid === process.getuid?.() && (mode & 0o077) === 0 && statfsSync(place).type !== OVERLAYFS
    } catch {
      return false
    }
  })
  return found ?? own
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
  const left = [name]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (!sys.lstat(parent, next)?.isDirectory()) {
      sys.unlink(parent, next)
      continue
    }
    const held = openWritable(parent, next)
    try {
      for (const inner of sys.list(held)) {
        if (!sys.lstat(held, inner)?.isDirectory()) {
          sys.unlink(held, inner)
          continue
        }
        // A directory that its owner may not write cannot be moved.
        sys.close(openWritable(held, inner))
        const above = freshName()
        sys.rename(held, inner, parent, above)
        left.push(above)
      }
    } finally {
      sys.close(held)
    }
    sys.rmdir(parent, next)
  }
}

function openWritable(parent: number, name: Name): number {
  const held = sys.openDirectory(parent, name)
  if ((sys.fstat(held).mode & 0o700n) !== 0o700n) sys.chmodHeld(held, 0o700)
  return held
}

const freshName = (): string => `${process.pid}-${randomBytes(6).toString('hex')}`

function sweep(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    const pid = Number(/^(\d+)-[0-9a-f]{12}$/.exec(name)?.[1] ?? NaN)
    if (!Number.isInteger(pid) || pid === process.pid || existsSync(`/proc/${pid}`)) continue
    if (!existsSync(join(scratch, name, HELD))) removeLayers(join(scratch, name))
  }
}
