import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { SandboxOptions } from '../../src/machine/process/sandbox/open-sandbox.ts'
import type { Limits, SandboxReport, SandboxSpec } from '../../src/machine/process/sandbox/types.ts'
import type { Answer, Delivery, Order } from './child.ts'

/** Who we are to the tree: root on root's, root on another's, an ordinary user on their own. */
export type WorldName = 'root-on-root' | 'root-on-user' | 'user'

const isRoot = process.getuid?.() === 0

/** Root can act as all three; any other user is the third. */
export const worldNames: readonly WorldName[] = isRoot ? ['root-on-root', 'root-on-user', 'user'] : ['user']

export const isLong = process.env['TOOLWRIGHT_LONG'] === '1'

export const rounds = isLong ? 20 : 1

export const limits: Limits = {
  wallMs: 20_000,
  cpuSeconds: 20,
  memoryBytes: 2 ** 30,
  processes: 128,
  fileBytes: 2 ** 28,
  outputBytes: 2 ** 20,
  tmpBytes: 2 ** 26,
  writtenBytes: 2 ** 31,
}

const ORDINARY = 1000

/** Programs that change the machine: run before as root, or as the user of the sandbox. */
export interface Played {
  readonly asRoot?: readonly string[]
  readonly asUser?: readonly string[]
}

export interface World {
  readonly name: WorldName
  /** Holds the workspace, a home directory and what else a test puts beside them. */
  readonly base: string
  readonly root: string
  readonly home: string
  spec(argv: readonly string[], more?: Partial<SandboxSpec>): SandboxSpec
  /** Runs commands one after another, in a process that is who this world says; it stays for the next ones. */
  run(specs: readonly SandboxSpec[], options?: Partial<SandboxOptions>, played?: Played): Promise<readonly Answer[]>
  /** What the sandbox says of itself. */
  report(played?: Played): Promise<SandboxReport>
  /** The same, with these programs judged when they start. */
  guarded(programs: readonly string[], line: string, played?: Played): Promise<Answer>
  one(argv: readonly string[], more?: Partial<SandboxSpec>): Promise<Answer>
  sh(line: string, more?: Partial<SandboxSpec>): Promise<Answer>
  /** Starts another such process and leaves it to the test. */
  start(order: Omit<Order, 'options'> | object, played?: Played): ChildProcess
  write(path: string, content: string): void
  owns(path: string): void
  /** Empties the workspace and the home directory. */
  clear(): void
  close(): Promise<void>
}

/** One process that runs commands for a test, and answers each order with a line. */
interface Runner {
  deliver(order: Order): Promise<Delivery>
  close(): Promise<void>
}

/** `program`: the one of this directory that is given the orders. */
export function openWorld(name: WorldName, program = 'child.ts'): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-sandbox-')))
  chmodSync(base, 0o755)
  const [root, home] = [join(base, 'workspace'), join(base, 'home')]
  const drops = isRoot && name === 'user'
  const owned = isRoot && name !== 'root-on-root'
  const owns = (path: string) => owned && chownSync(path, ORDINARY, ORDINARY)
  for (const directory of [root, home]) {
    mkdirSync(directory)
    owns(directory)
  }
  const { node, script } = drops
    ? forEverybody(base, program)
    : { node: process.execPath, script: join(import.meta.dirname, program) }
  const identity = ['setpriv', '--reuid', String(ORDINARY), '--regid', String(ORDINARY), '--clear-groups', '--']
  const secret = join(base, 'left-open.txt')
  writeFileSync(secret, 'left open')
  const env = { PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' }
  const { NODE_COMPILE_CACHE } = process.env
  // What Node made of our sources starts the next process in a third of the time; others may not read it.
  const cache = NODE_COMPILE_CACHE === undefined || drops ? {} : { NODE_COMPILE_CACHE }
  const options = (more: Partial<SandboxOptions> = {}): SandboxOptions => ({ root, scratch: home, env, ...more })
  const launch = ({ asRoot = [], asUser = [] }: Played = {}) => {
    const [first = '', ...args] = [...asRoot, ...(drops ? identity : []), ...asUser, node, script]
    // A descriptor left open, at a number that Node does not check when it starts.
    const stdio = ['pipe', 'pipe', 'inherit', ...Array.from({ length: 57 }, () => 'ignore'), openSync(secret, 'r')]
    return spawn(first, args, { stdio: stdio as 'pipe'[], env: { ...env, ...cache, SECRET_OF_OURS: 'do not tell' } })
  }
  const runners = new Map<string, Runner>()
  const runnerFor = (played: Played = {}): Runner => {
    const key = JSON.stringify(played)
    const runner = runners.get(key) ?? runnerOf(launch(played))
    runners.set(key, runner)
    return runner
  }
  const world: World = {
    name,
    base,
    root,
    home,
    spec: (argv, more = {}) => ({
      root,
      argv,
      cwd: '.',
      env: {},
      tree: { kind: 'direct' },
      readOnly: [],
      hidden: [],
      network: undefined,
      limits,
      stdin: 'none',
      ...more,
    }),
    run: async (specs, more, played) => (await runnerFor(played).deliver({ options: options(more), specs })).answers,
    async guarded(programs, line, played) {
      const specs = [world.spec(['/bin/bash', '-c', line])]
      const [answer] = (await runnerFor(played).deliver({ options: options(), specs, guarded: programs })).answers
      if (!answer) throw new Error('There is no answer')
      return answer
    },
    async report(played) {
      const { report } = await runnerFor(played).deliver({ options: options(), specs: [], reports: true })
      if (!report) throw new Error('There is no report')
      return report
    },
    async one(argv, more) {
      const [answer] = await world.run([world.spec(argv, more)])
      if (!answer) throw new Error('There is no answer')
      return answer
    },
    sh: (line, more) => world.one(['/bin/sh', '-c', line], more),
    start(order, played) {
      const child = launch(played)
      child.stdin?.write(`${JSON.stringify({ options: options(), ...order })}\n`)
      return child
    },
    write(path, content) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      for (let at = dirname(file); at !== root; at = dirname(at)) owns(at)
      writeFileSync(file, content)
      owns(file)
    },
    owns,
    clear() {
      for (const directory of [root, home])
        for (const entry of readdirSync(directory)) rmSync(join(directory, entry), { recursive: true, force: true })
    },
    async close() {
      await Promise.all([...runners.values()].map(runner => runner.close()))
      rmSync(base, { recursive: true, force: true })
    },
  }
  return world
}

function runnerOf(child: ChildProcess): Runner {
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('The process has no input or no output')
  const over = once(child, 'exit')
  // What it said, or that it said nothing, tells more than the broken pipe.
  stdin.on('error', () => {})
  const lines = createInterface(stdout)[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const asked = async (order: Order): Promise<Delivery> => {
    stdin.write(`${JSON.stringify(order)}\n`)
    const { value = 'nothing' } = await lines.next()
    if (!value.startsWith('{')) throw new Error(`The process said: ${value}`)
    return JSON.parse(value)
  }
  return {
    deliver(order) {
      const delivery = last.then(() => asked(order))
      last = delivery.catch(() => undefined)
      return delivery
    },
    async close() {
      stdin.end()
      await over
    },
  }
}

/** The program and Node where every user may read them; the repository may be in a home directory. */
function forEverybody(base: string, program: string): { node: string; script: string } {
  const repository = join(base, 'repository')
  const top = dirname(dirname(import.meta.dirname))
  for (const part of ['src/machine', 'src/kernel', 'tests/sandbox', 'package.json'])
    cpSync(join(top, part), join(repository, part), { recursive: true })
  const node = isOpen(process.execPath) ? process.execPath : join(base, 'installation/bin/node')
  if (node !== process.execPath) {
    mkdirSync(dirname(node), { recursive: true })
    copyFileSync(process.execPath, node)
    chmodSync(node, 0o755)
  }
  return { node, script: join(repository, 'tests/sandbox', program) }
}

function isOpen(path: string): boolean {
  for (let at = path; at !== '/'; at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false
  return true
}

/** The processes of this machine whose command line holds a word. */
export function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter(pid => /^\d+$/.test(pid))
    .map(Number)
    .filter(pid => {
      try {
        return pid !== process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word)
      } catch {
        return false
      }
    })
}

/** Waits until none of them is left, or says which are. */
export async function noneLeft(word: string, withinMs = 20_000): Promise<number[]> {
  const until = performance.now() + withinMs
  while (processesWith(word).length > 0 && performance.now() < until)
    await new Promise(resolve => setTimeout(resolve, 20))
  return processesWith(word)
}
