import type { BigIntStats } from 'node:fs'

/** Time stamps of some file systems move in steps: within one, two writes look the same. */
const STEP_MS = 50n

/**
 * A word that differs whenever a file's content may differ; undefined for a file that changed a moment ago.
 * The time of the last change of any kind is in it, which no program can set back.
 */
export function versionOf(
  { dev, ino, size, mtimeNs, ctimeNs, ctimeMs }: BigIntStats,
  nowMs = Date.now(),
): string | undefined {
  return BigInt(nowMs) - ctimeMs > STEP_MS ? `${dev}:${ino}:${size}:${mtimeNs}:${ctimeNs}` : undefined
}
