import { spawn } from 'node:child_process'
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
import { text } from 'node:stream/consumers'
import type { SandboxOptions } from '../../src/engines/process/sandbox/open-sandbox.ts'
import type { Limits, SandboxSpec } from '../../src/engines/process/sandbox/types.ts'
import type { Answer, Delivery, Order } from './child.ts'

/** Who we are to the tree: root on root's, root on another's, an ordinary user on their own. */
export type WorldName = 'root-on-root' | 'root-on-user' | 'user'

const isRoot = process.getuid?.() === 0

/** As root all three can be played; anybody else is the third. */
export const worldNames: readonly WorldName[] = isRoot ? ['root-on-root', 'root-on-user', 'user'] : ['user']

export const rounds = process.env['TOOLWRIGHT_LONG'] === '1' ? 20 : 3

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

/** Programs that make the machine another one: run as root before, or as whoever runs the sandbox. */
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
  /** Runs commands one after another, in a process that is who this world says. */
  run(specs: readonly SandboxSpec[], options?: Partial<SandboxOptions>, played?: Played): Promise<Delivery>
  one(argv: readonly string[], more?: Partial<SandboxSpec>): Promise<Answer>
  sh(line: string, more?: Partial<SandboxSpec>): Promise<Answer>
  /** Starts the same process and leaves it to the test. */
  start(order: Pick<Order, 'specs'>): ReturnType<typeof spawn>
  write(path: string, content: string): void
  owns(path: string): void
  close(): void
}

export function openWorld(name: WorldName): World {
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
    ? forEverybody(base)
    : { node: process.execPath, script: join(import.meta.dirname, 'child.ts') }
  const identity = ['setpriv', '--reuid', String(ORDINARY), '--regid', String(ORDINARY), '--clear-groups', '--']
  const secret = join(base, 'left-open.txt')
  writeFileSync(secret, 'left open')
  const env = { PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`, HOME: home, LANG: 'C.UTF-8' }
  const options = (more: Partial<SandboxOptions> = {}): SandboxOptions => ({ root, scratch: home, env, ...more })
  const launch = (order: Order, { asRoot = [], asUser = [] }: Played = {}) => {
    const [program = '', ...args] = [...asRoot, ...(drops ? identity : []), ...asUser, node, script]
    // A descriptor that nobody closed, at a number that Node does not look at when it starts.
    const stdio = ['pipe', 'pipe', 'inherit', ...Array.from({ length: 57 }, () => 'ignore'), openSync(secret, 'r')]
    const child = spawn(program, args, { stdio: stdio as 'pipe'[], env: { ...env, SECRET_OF_OURS: 'do not tell' } })
    child.stdin?.end(JSON.stringify(order))
    return child
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
    async run(specs, more, played) {
      const child = launch({ options: options(more), specs }, played)
      if (!child.stdout) throw new Error('The process has no output')
      const words = await text(child.stdout)
      if (!words.startsWith('{')) throw new Error(`The process said: ${words}`)
      return JSON.parse(words)
    },
    async one(argv, more) {
      const [answer] = (await world.run([world.spec(argv, more)])).answers
      if (!answer) throw new Error('There is no answer')
      return answer
    },
    sh: (line, more) => world.one(['/bin/sh', '-c', line], more),
    start: order => launch({ options: options(), ...order }),
    write(path, content) {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      for (let at = dirname(file); at !== root; at = dirname(at)) owns(at)
      writeFileSync(file, content)
      owns(file)
    },
    owns,
    close: () => rmSync(base, { recursive: true, force: true }),
  }
  return world
}

/** The program and Node where everybody may read them; the repository may be in somebody's home directory. */
function forEverybody(base: string): { node: string; script: string } {
  const repository = join(base, 'repository')
  const top = dirname(dirname(import.meta.dirname))
  for (const part of ['src/engines/process/sandbox', 'src/kernel/error.ts', 'tests/sandbox/child.ts', 'package.json'])
    cpSync(join(top, part), join(repository, part), { recursive: true })
  const node = isOpen(process.execPath) ? process.execPath : join(base, 'installation/bin/node')
  if (node !== process.execPath) {
    mkdirSync(dirname(node), { recursive: true })
    copyFileSync(process.execPath, node)
    chmodSync(node, 0o755)
  }
  return { node, script: join(repository, 'tests/sandbox/child.ts') }
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
export async function noneLeft(word: string, withinMs = 2000): Promise<number[]> {
  const until = performance.now() + withinMs
  while (processesWith(word).length > 0 && performance.now() < until)
    await new Promise(resolve => setTimeout(resolve, 20))
  return processesWith(word)
}
