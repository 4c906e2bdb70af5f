import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** A pipe for a command's output. */
interface OutputPipe {
  /** End for the command. `sent` closes it once passed. */
  readonly write: number
  readonly stream: Readable
  sent(): void
}

const O_PATH = 0x200000
const AT_ONCE = 16

/** Unnamed and unused pipes, held without being open for reading or writing. */
const free: number[] = []
let works = process.platform === 'linux'

/**
 * Opens a real pipe, which a command can reopen as /dev/stdout. Node's own child pipes are sockets, which cannot be
 * reopened. Returns undefined if no pipe can be made.
 */
export function openPipe(): OutputPipe | undefined {
  if (works && free.length === 0) works = makePipes()
  const pipe = works ? free.pop() : undefined
  if (pipe === undefined) return undefined
  const again = `/proc/self/fd/${pipe}`
  // The read end first, since opening the other waits for a reader. Opened without waiting for a writer.
  const read = openSync(again, constants.O_RDONLY | constants.O_NONBLOCK)
  const write = openSync(again, constants.O_WRONLY)
  const stream = new Socket({ fd: read, readable: true, writable: false })
  // A pipe is empty and reusable only after every process has closed it.
  let hasEnded = false
  stream.once('end', () => (hasEnded = true))
  stream.once('close', () => (hasEnded ? free.push(pipe) : closeSync(pipe)))
  return { write, stream, sent: () => closeSync(write) }
}

/** Creates several pipes with one program start, since Node has no call for it. */
function makePipes(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-pipes-'))
  try {
    const places = Array.from({ length: AT_ONCE }, (_, at) => join(directory, String(at)))
    // Readable for any user the command becomes; without a name no other process finds it.
    execFileSync('mkfifo', ['-m', '666', ...places], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } })
    for (const place of places) free.push(openSync(place, O_PATH))
    return true
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
