import { lstatSync, mkdirSync, rmSync } from 'node:fs'

/**
 * Creates a cache directory of ours, replacing anything else of its name. Returns false on failure: then nothing is
 * cached.
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
