import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makePrivateDirectory } from '../../state/private-file.ts'

const OVERLAYFS = 0x794c7630

/** Where the layers of commands are made: the state directory, unless it lies on an overlay, which cannot hold another's upper layer. */
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

const swept = new Set<string>()

/** A new directory for one command; those of processes that are gone are removed first. */
export function makeCommandDirectory(scratch: string): string {
  makePrivateDirectory(scratch)
  if (!swept.has(scratch)) sweep(scratch)
  swept.add(scratch)
  const place = join(scratch, `${process.pid}-${randomBytes(6).toString('hex')}`)
  mkdirSync(place, { mode: 0o700 })
  return place
}

/** Removes a directory with what a command and the kernel left in it, closed or not. */
export function removeLayers(directory: string): void {
  const inner = join(directory, 'work', 'work')
  if (existsSync(inner)) chmodSync(inner, 0o700)
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    open(directory)
    rmSync(directory, { recursive: true, force: true })
  }
}

function open(directory: string): void {
  chmodSync(directory, 0o700)
  for (const entry of readdirSync(directory, { withFileTypes: true }))
    if (entry.isDirectory()) open(join(directory, entry.name))
}

function sweep(scratch: string): void {
  for (const name of readdirSync(scratch)) {
    const pid = Number(/^(\d+)-[0-9a-f]{12}$/.exec(name)?.[1] ?? NaN)
    if (Number.isInteger(pid) && pid !== process.pid && !existsSync(`/proc/${pid}`)) removeLayers(join(scratch, name))
  }
}
