import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a directory, and those above it that are missing, for this user alone. */
export const makePrivateDirectory = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 })
}

/** Replaces a file of ours in one step: a reader, or a crash, finds the old content or the new, never a part. */
export function writePrivateFile(path: string, content: string | Buffer): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeSynced(temporary, typeof content === 'string' ? Buffer.from(content) : content)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncDirectory(dirname(path))
}

/** Makes a rename or a new name in this directory survive a power cut. */
export function syncDirectory(path: string): void {
  // Windows cannot open a directory, and keeps names by itself.
  if (process.platform === 'win32') return
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** A single write may take only a part of what it is given. */
export function writeWhole(fd: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done)
}

function writeSynced(path: string, bytes: Buffer): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeWhole(fd, bytes)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
