import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GO } from './stand-in-script.ts'
import { requestReader, type StartRequest } from './start-request.ts'

/** Returns why a start is refused; undefined allows it. */
type AnswerStart = (request: StartRequest) => Promise<string | undefined>

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Named pipes between one command's stand-ins and us: the only writable files of the channel inside. */
interface StartChannel {
  readonly directory: string
  serve(answer: AnswerStart): void
  /** Call it when no process of the command lives. */
  close(): void
}

const TICKETS = 'ABCDEFGHIJKLMNOPQRSTUVWX'
/** Initial number of concurrent starts; grows by one whenever all are in use. */
const FIRST = 4
const NAME = /^toolwright-starts-(\d+)-[0-9a-f]{12}$/

/** Unused channels, by the other content of their directories. */
const free = new Map<string, string[]>()
/** Every created directory, removed when this process ends. */
const directories: string[] = []

/** Opens a channel in its own directory, to which `write` adds files. Reuses directories of the same kind. */
export function openChannel(kind: string, owner: Owner | undefined, write: (directory: string) => void): StartChannel {
  const key = `${owner?.uid ?? ''} ${kind}`
  const directory = free.get(key)?.pop() ?? makeDirectory(owner, write)
  const descriptors: number[] = []
  const sockets: Socket[] = []
  let ticketCount = 0
  let ticketsTaken = 0
  const open = (name: string): number => {
    // Read and write, so that opening does not wait for the other side.
    return openSync(join(directory, name), constants.O_RDWR | constants.O_NONBLOCK)
  }
  const openHere = (name: string): number => {
    const fd = open(name)
    descriptors.push(fd)
    return fd
  }
  return {
    directory,
    serve(answer) {
      const tickets = openHere('tickets')
      const give = () => {
        const ticket = TICKETS[ticketCount++]
        if (ticket === undefined) return
        listen(ticket)
        send(tickets, ticket)
      }
      const listen = (ticket: string) => {
        const answers = openHere(`answer-${ticket}`)
        const reader = requestReader({
          asked: request => void answer(request).then(reason => send(answers, `${oneLine(reason ?? GO)}\n`)),
          begun() {
            if (++ticketsTaken >= ticketCount) give()
          },
          ended() {
            ticketsTaken--
            send(tickets, ticket)
          },
        })
        const socket = new Socket({ fd: open(`request-${ticket}`), writable: false })
        sockets.push(socket.on('data', reader).on('error', () => {}))
      }
      for (let at = 0; at < FIRST; at++) give()
    },
    close() {
      for (const socket of sockets) socket.destroy()
      for (const fd of descriptors) closeSync(fd)
      free.set(key, [...(free.get(key) ?? []), directory])
    },
  }
}

/** Drops text that does not fit: that reader asks without reading and waits for nothing. */
function send(fd: number, text: string): void {
  try {
    writeSync(fd, text)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBADF'))) throw error
  }
}

const oneLine = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').slice(0, 1000)

function makeDirectory(owner: Owner | undefined, write: (directory: string) => void): string {
  if (directories.length === 0) {
    sweep()
    process.once('exit', () => directories.forEach(place => rmSync(place, { recursive: true, force: true })))
  }
  const directory = join(tmpdir(), `toolwright-starts-${process.pid}-${randomBytes(6).toString('hex')}`)
  mkdirSync(directory, { mode: 0o700 })
  directories.push(directory)
  const pipes = ['tickets', ...[...TICKETS].flatMap(ticket => [`request-${ticket}`, `answer-${ticket}`])]
  const places = pipes.map(name => join(directory, name))
  // Node has no call for it.
  execFileSync('mkfifo', ['-m', '600', ...places], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } })
  write(directory)
  if (owner) for (const name of ['.', ...readdirSync(directory)]) chownSync(join(directory, name), owner.uid, owner.gid)
  return directory
}

/** Removes directories of processes that could not do so themselves. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}
