import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { diskPath } from '../disk-path.ts'
import { isRacy, stampOf, stat, UNSURE } from '../stamp.ts'
import { parseRuleFile, type RuleFile } from './rule-file.ts'

/** Returns the bytes of an ignore file, or undefined if there is none. Never blocks on a pipe of that name. */
export function readSource(path: string): Buffer | undefined {
  // Most are missing, and an error costs more than a look.
  if (!existsSync(diskPath(path))) return undefined
  let fd: number | undefined
  try {
    fd = openSync(diskPath(path), constants.O_RDONLY | constants.O_NONBLOCK)
    return fstatSync(fd).isFile() ? readFileSync(fd) : undefined
  } catch {
    return undefined
  } finally {
    if (fd !== undefined) closeSync(fd)
  }
}

export function readRules(path: string): RuleFile | undefined {
  const bytes = readSource(path)
  return bytes && parseRuleFile(bytes)
}

let looks = 0

/** Stays the same while the file is certainly unchanged. */
export function sourceStamp(path: string): string {
  const now = Date.now()
  const stats = stat(diskPath(path))
  if (stats === undefined) return '-'
  // Every file created in a git directory changes its times.
  if (stats.isDirectory()) return `d${stats.ino}`
  return isRacy(stats, now) ? `${stampOf(stats)}${UNSURE}${++looks}` : stampOf(stats)
}
