import { randomBytes } from 'node:crypto'
import { constants, openSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Opens a descriptor that reads these bytes from the start and has no name in the file system. It is complete before
 * its reader exists, so that our death cannot leave half an argument list.
 */
export function openData(content: string | Uint8Array): number {
  const path = join(tmpdir(), `.toolwright-${randomBytes(9).toString('hex')}`)
  const fd = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600)
  unlinkSync(path)
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  // Written by position, so that the inherited offset stays at the start.
  for (let offset = 0; offset < bytes.length;) offset += writeSync(fd, bytes, offset, bytes.length - offset, offset)
  return fd
}
