import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { afterEach, beforeEach } from 'vitest'
import { dispatch } from '../../src/surfaces/cli/dispatch.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'

export interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Given {
  /** What is piped in. */
  readonly input?: string
  /** A person at a terminal, who answers each question in turn; `undefined` closes the input instead. */
  readonly person?: readonly (string | undefined)[]
  /** How a question ends; default: as for an approval. */
  readonly asks?: RegExp
  /** The current directory, from the workspace. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** A workspace for each test of a file, and the command line run in it as a fake terminal sees it. */
export function useCli(files: Readonly<Record<string, string>> = {}) {
  let workspace: TemporaryWorkspace
  beforeEach(() => {
    workspace = temporaryWorkspace(files)
  })
  afterEach(() => workspace.remove())
  return {
    get workspace() {
      return workspace
    },
    configure(config: object) {
      mkdirSync(join(workspace.base, 'config'), { recursive: true })
      writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify(config))
    },
    async run(args: readonly string[], given: Given = {}): Promise<Run> {
      const { bytes, ...ended } = await runIn(workspace, args, given)
      return { ...ended, out: bytes.toString() }
    },
    /** What is written, byte for byte. */
    bytes: async (args: readonly string[]): Promise<Buffer> => (await runIn(workspace, args, {})).bytes,
    /** The exact result of one call. */
    async call(tool: string, input: object, ...options: readonly string[]) {
      const { code, bytes } = await runIn(workspace, ['call', tool, JSON.stringify(input), '--json', ...options], {})
      return { code, result: JSON.parse(bytes.toString()) }
    },
  }
}

/** Runs the command line in a workspace as a fake terminal sees it. */
export async function runIn({ path, env }: TemporaryWorkspace, args: readonly string[], given: Given) {
  const isTTY = given.person !== undefined
  const stdin = Object.assign(new PassThrough(), { isTTY })
  const { asks = /Approve\? \(y\/n(?:\/always)?\):/ } = given
  const answers = [...(given.person ?? [])]
  const stdout = collector(isTTY)
  const stderr = collector(isTTY, text => {
    if (!asks.test(text)) return
    const answer = answers.shift()
    if (answer === undefined) stdin.end()
    else stdin.write(`${answer}\n`)
  })
  if (!isTTY) stdin.end(given.input ?? '')
  const [name, ...rest] = args
  const code = await dispatch(name, rest, {
    env: { ...env, USER: 'ada', NO_COLOR: '1', ...given.env },
    cwd: join(path, given.cwd ?? '.'),
    stdin,
    stdout,
    stderr,
    version: '9.9.9',
  })
  return { code, bytes: stdout.bytes(), err: stderr.bytes().toString() }
}

function collector(isTTY: boolean, seen: (text: string) => void = () => {}) {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      seen(String(chunk))
      done()
    },
  })
  return Object.assign(stream, { isTTY, columns: 120, rows: 40, bytes: () => Buffer.concat(chunks) })
}

/** One JSON value for each line. */
export const lines = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line))
