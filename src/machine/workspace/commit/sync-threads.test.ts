import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSyncThreads, type SyncThreads } from './sync-threads.ts'

const directory = mkdtempSync(join(tmpdir(), 'toolwright-sync-'))
const threads: SyncThreads = startSyncThreads()
const nothing = () => {}

beforeAll(async () => {
  while (!threads.isReady()) await setTimeout(5)
})
afterAll(() => rmSync(directory, { recursive: true }))

/** Open files with something to sync, and a number that no file has. */
function opened(count: number): { fds: number[]; closed: number; close(): void } {
  const fds = Array.from({ length: count + 1 }, (_, index) => openSync(join(directory, String(index)), 'w'))
  for (const fd of fds) writeSync(fd, 'text')
  const closed = fds.pop() ?? -1
  closeSync(closed)
  return { fds, closed, close: () => fds.forEach(fd => closeSync(fd)) }
}

describe('threads that sync', () => {
  it.each([0, 1, 3, 4, 25])('bring %i files to disk, and do the caller’s own work once', count => {
    const { fds, close } = opened(count)
    let own = 0
    for (let rounds = 0; rounds < 20; rounds++) threads.sync(fds, () => own++)
    close()
    expect(own).toBe(20)
  })

  it.each([0, 2, 7])('throw what the system says of one of them, the one at %i, and go on working', index => {
    const { fds, closed, close } = opened(8)
    const wrong = fds.with(index, closed)
    expect(() => threads.sync(wrong, nothing)).toThrow(expect.objectContaining({ code: 'EBADF', syscall: 'fsync' }))
    expect(() => threads.sync(fds, nothing)).not.toThrow()
    close()
  })

  it('throw what the caller’s own work throws, when nothing is being synced any more', () => {
    const { fds, close } = opened(3)
    const own = () => {
      throw new Error('own')
    }
    for (let rounds = 0; rounds < 20; rounds++) expect(() => threads.sync(fds, own)).toThrow('own')
    close()
    expect(threads.isReady()).toBe(true)
  })
})
