import { execFileSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** A pipe for what a command prints. */
interface OutputPipe {
  /** For the command; closed by `sent` when it has it. */
  readonly write: number
  readonly stream: Readable
  sent(): void
}

const O_PATH = 0x200000
const AT_ONCE = 16

/** Without a name and not in use, held without being open for reading or writing. */
const free: number[] = []
let works = process.platform === 'linux'

/**
 * A real pipe, which a command can open again as /dev/stdout: what Node itself makes for a child are sockets, which
 * nobody can open. Undefined if none can be had.
 */
export function openPipe(): OutputPipe | undefined {
  if (works && free.length === 0) works = makePipes()
  const pipe = works ? free.pop() : undefined
  if (pipe === undefined) return undefined
  const again = `/proc/self/fd/${pipe}`
  // First the end that we read, since the other waits for a reader; without waiting itself for a writer.
  const read = openSync(again, constants.O_RDONLY | constants.O_NONBLOCK)
  const write = openSync(again, constants.O_WRONLY)
  const stream = new Socket({ fd: read, readable: true, writable: false })
  // Only when everybody has let it go it is empty and can serve another command.
  let ended = false
  stream.once('end', () => (ended = true))
  stream.once('close', () => (ended ? free.push(pipe) : closeSync(pipe)))
  return { write, stream, sent: () => closeSync(write) }
}

/** Several for one start of a program: there is no call for it in Node. */
function makePipes(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-pipes-'))
  try {
    const places = Array.from({ length: AT_ONCE }, (_, at) => join(directory, String(at)))
    // Whoever the command becomes may open it again; without a name nobody else finds it.
    execFileSync('mkfifo', ['-m', '666', ...places], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } })
    for (const place of places) free.push(openSync(place, O_PATH))
    return true
  } catch {
    return false
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
