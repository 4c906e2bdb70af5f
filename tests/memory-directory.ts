import { mkdtempSync, realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ENOUGH_BYTES = 500_000_000

/** Where tests put many small files: in memory where there is room, on the disk for the full counts. */
export const fastDirectory: string =
  process.env['TOOLWRIGHT_LONG'] !== '1' && hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()

/** A new directory for many small files, which some disks take seconds to write and remove. */
export const memoryDirectory = (prefix: string): string => realpathSync(mkdtempSync(join(fastDirectory, prefix)))

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize > ENOUGH_BYTES
  } catch {
    return false
  }
}
