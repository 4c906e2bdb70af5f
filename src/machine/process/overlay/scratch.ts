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
  const place = join(scratch, `${process.pid}-${randomBytes(6).toString('hex')}`)
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

function removeTree(parent: number, name: Name): void {
  if (!sys.lstat(parent, name)?.isDirectory()) return sys.unlink(parent, name)
  const held = sys.openDirectory(parent, name)
  try {
    if ((sys.fstat(held).mode & 0o700n) !== 0o700n) sys.chmodHeld(held, 0o700)
    for (const inner of sys.list(held)) removeTree(held, inner)
  } finally {
    sys.close(held)
  }
  sys.rmdir(parent, name)
}

function sweep(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    const pid = Number(/^(\d+)-[0-9a-f]{12}$/.exec(name)?.[1] ?? NaN)
    if (!Number.isInteger(pid) || pid === process.pid || existsSync(`/proc/${pid}`)) continue
    if (!existsSync(join(scratch, name, HELD))) removeLayers(join(scratch, name))
  }
}
