import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { nameToBytes } from '../../../machine/workspace/name.ts'

interface SourceFile {
  readonly bytes: Buffer
  /** Any later change would alter its times. */
  readonly isSettled: boolean
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
/** File systems record time in steps, some of two seconds; two contents within one step can look the same. */
const STEP_MS = 50
const COARSE_STEP_MS = 2100

/** Reads a file only from within the workspace. Returns undefined for a link, or a directory swapped for one. */
export function readSource(directory: string, path: string): SourceFile | undefined {
  let fd: number | undefined
  try {
    const whole = `${directory}/${path}`
    fd = openSync(nameToBytes(whole) ?? whole, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    const stats = fstatSync(fd)
    if (!stats.isFile() || !isAt(fd, whole)) return undefined
    const bytes = wholeFile(fd, stats.size)
    const changedMs = Math.max(stats.mtimeMs, stats.ctimeMs)
    return { bytes, isSettled: Date.now() - changedMs > (changedMs % 1000 === 0 ? COARSE_STEP_MS : STEP_MS) }
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

function isAt(fd: number, path: string): boolean {
  if (process.platform !== 'linux') return true
  const bytes = nameToBytes(path) ?? Buffer.from(path)
  return readlinkSync(`/proc/self/fd/${fd}`, { encoding: 'buffer' }).equals(bytes)
}

function wholeFile(fd: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  while (at < size) {
    const read = readSync(fd, bytes, at, size - at, at)
    if (read === 0) break
    at += read
  }
  return bytes.subarray(0, at)
}
