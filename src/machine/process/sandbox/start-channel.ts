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

/** Says why a start may not happen; undefined lets it go on. */
type AnswerStart = (request: StartRequest) => Promise<string | undefined>

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** Named pipes between the stand-ins of one command and us; inside nothing can be written but through them. */
interface StartChannel {
  readonly directory: string
  serve(answer: AnswerStart): void
  /** To be called when nothing of the command lives. */
  close(): void
}

const TICKETS = 'ABCDEFGHIJKLMNOPQRSTUVWX'
/** So many starts at once at first; another is let in whenever all of them are taken. */
const FIRST = 4
const NAME = /^toolwright-starts-(\d+)-[0-9a-f]{12}$/

/** Channels that no command uses, by what else lies in their directories. */
const free = new Map<string, string[]>()
/** Every directory that was made, to be removed when this process ends. */
const made: string[] = []

/** A channel in a directory of its own, which `write` adds files to; directories of the same kind are used again. */
export function openChannel(kind: string, owner: Owner | undefined, write: (directory: string) => void): StartChannel {
  const key = `${owner?.uid ?? ''} ${kind}`
  const directory = free.get(key)?.pop() ?? makeDirectory(owner, write)
  const opened: number[] = []
  const sockets: Socket[] = []
  let given = 0
  let taken = 0
  const open = (name: string): number => {
    // Both ways, so that nobody waits for the other side to open it.
    return openSync(join(directory, name), constants.O_RDWR | constants.O_NONBLOCK)
  }
  const held = (name: string): number => {
    const fd = open(name)
    opened.push(fd)
    return fd
  }
  return {
    directory,
    serve(answer) {
      const tickets = held('tickets')
      const give = () => {
        const ticket = TICKETS[given++]
        if (ticket === undefined) return
        listen(ticket)
        send(tickets, ticket)
      }
      const listen = (ticket: string) => {
        const answers = held(`answer-${ticket}`)
        const reader = requestReader({
          asked: request => void answer(request).then(reason => send(answers, `${oneLine(reason ?? GO)}\n`)),
          begun() {
            if (++taken >= given) give()
          },
          ended() {
            taken--
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
      for (const fd of opened) closeSync(fd)
      free.set(key, [...(free.get(key) ?? []), directory])
    },
  }
}

/** What does not fit is for somebody who asks without reading, and waits for nothing. */
function send(fd: number, text: string): void {
  try {
    writeSync(fd, text)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && (error.code === 'EAGAIN' || error.code === 'EBADF'))) throw error
  }
}

const oneLine = (text: string): string => text.replaceAll(/\p{C}+/gu, ' ').slice(0, 1000)

function makeDirectory(owner: Owner | undefined, write: (directory: string) => void): string {
  if (made.length === 0) {
    sweep()
    process.once('exit', () => made.forEach(place => rmSync(place, { recursive: true, force: true })))
  }
  const directory = join(tmpdir(), `toolwright-starts-${process.pid}-${randomBytes(6).toString('hex')}`)
  mkdirSync(directory, { mode: 0o700 })
  made.push(directory)
  const pipes = ['tickets', ...[...TICKETS].flatMap(ticket => [`request-${ticket}`, `answer-${ticket}`])]
  const places = pipes.map(name => join(directory, name))
  // There is no call for it in Node.
  execFileSync('mkfifo', ['-m', '600', ...places], { stdio: 'ignore', env: { PATH: '/usr/bin:/bin' } })
  write(directory)
  if (owner) for (const name of ['.', ...readdirSync(directory)]) chownSync(join(directory, name), owner.uid, owner.gid)
  return directory
}

/** Removes what processes left that could not do so themselves. */
function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = NAME.exec(name)?.[1]
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Somebody else's.
    }
  }
}
