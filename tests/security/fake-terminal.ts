import { Readable, Writable } from 'node:stream'
import type { Terminal } from '../../src/surfaces/cli/terminal.ts'

export interface FakeTerminal extends Terminal {
  /** Everything that was printed so far. */
  out(): string
  err(): string
}

/** A terminal with a person who types these lines; without lines, no one is there. */
export function fakeTerminal(cwd: string, env: Terminal['env'], typed?: string): FakeTerminal {
  const [stdout, out] = collector(typed !== undefined)
  const [stderr, err] = collector(typed !== undefined)
  const stdin = Object.assign(Readable.from(typed === undefined ? [] : [Buffer.from(typed)]), {
    isTTY: typed !== undefined,
  })
  return { cwd, env, stdin, stdout, stderr, version: 'test', out, err }
}

function collector(isTTY: boolean): [Writable & { isTTY: boolean }, () => string] {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  return [Object.assign(stream, { isTTY }), () => Buffer.concat(chunks).toString()]
}
