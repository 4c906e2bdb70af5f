import { fstatSync, writeSync } from 'node:fs'
import type { Readable } from 'node:stream'
import type { Colour, Paint } from '../render/paint.ts'

/** Where a command prints. */
interface Output {
  readonly isTTY?: boolean
  write(text: string | Uint8Array): unknown
}

/** Environment of one run of the command line, passed in so that tests can act as a person. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Output
  readonly stderr: Output
  readonly version: string
}

/**
 * Reports whether a person types here. Looks at the input last, and not by taking the terminal apart: a calling program
 * has neither, and opening standard input is slow.
 */
export const isTypedAt = (terminal: Terminal): boolean =>
  terminal.stderr.isTTY === true && terminal.stdin.isTTY === true

/** Starts the resident process for a person, who is likely to use a language server again; not for a script. */
export const residentAt = (terminal: Terminal): 'servers' | 'use' => (isTypedAt(terminal) ? 'servers' : 'use')

const SEQUENCES: Readonly<Record<Colour, string>> = {
  green: '32',
  red: '31',
  yellow: '33',
  cyan: '36',
  dim: '2',
  bold: '1',
  hit: '1;31',
}

/** Paints only on a terminal, and never if NO_COLOR is set. */
export function painter(terminal: Terminal, stream: { readonly isTTY?: boolean } = terminal.stdout): Paint {
  const on = stream.isTTY === true && !terminal.env['NO_COLOR'] && terminal.env['TERM'] !== 'dumb'
  return (colour, text) => (on && text !== '' ? `\x1b[${SEQUENCES[colour]}m${text}\x1b[0m` : text)
}

export const say = (terminal: Terminal, text: string): void => void terminal.stdout.write(`${text}\n`)
export const warn = (terminal: Terminal, text: string): void => void terminal.stderr.write(`${text}\n`)

/**
 * Writes to a pipe or a file without Node's stream, which loads Node's network code: as long as the call itself. A
 * terminal gets the stream.
 */
export function outputTo(fd: 1 | 2, stream: () => Output): Output {
  if (!isPipeOrFile(fd)) return stream()
  let openStream: Output | undefined
  return {
    write(text) {
      if (openStream) return openStream.write(text)
      let rest = typeof text === 'string' ? Buffer.from(text) : text
      try {
        while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest))
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        // A reader may stop early (`| head`): end without a failure.
        if (code === 'EPIPE') process.exit()
        // The pipe is full, and another process has set it not to wait. The stream does.
        if (code !== 'EAGAIN') throw error
        openStream = stream()
        openStream.write(rest)
      }
    },
  }
}

function isPipeOrFile(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFIFO() || stat.isSocket() || stat.isFile()
  } catch {
    return false
  }
}
