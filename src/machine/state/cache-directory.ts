import { lstatSync, mkdirSync, rmSync } from 'node:fs'

/**
 * Makes a directory of ours for what is only kept for speed, in place of whatever else has its name. False if that
 * cannot be: then nothing is kept.
 */
export function makeCacheDirectory(path: string): boolean {
  if (isMade(path)) return true
  try {
    if (!lstatSync(path).isDirectory()) rmSync(path, { force: true })
  } catch {
    return false
  }
  return isMade(path)
}

function isMade(path: string): boolean {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return true
  } catch {
    return false
  }
}
