import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface FixtureEntry {
  readonly p: string
  readonly type: 'dir' | 'file' | 'symlink' | 'hardlink' | 'fifo' | 'socket'
  readonly content?: string
  readonly target?: string
  readonly mode?: string
}

export interface Fixture {
  readonly canary: string
  readonly entries: readonly FixtureEntry[]
}

/** Builds the tree of the path rows; `fill` puts the real directories in the place of `{BASE}` and `{ROOT}`. */
export async function buildFixture(base: string, { entries }: Fixture, fill: (text: string) => string): Promise<void> {
  for (const { p, type, content = '', target = '', mode } of entries) {
    const at = join(base, p)
    if (type === 'dir') mkdirSync(at, { recursive: true })
    if (type === 'file') writeFileSync(at, content)
    if (type === 'symlink') symlinkSync(fill(target), at)
    if (type === 'hardlink') linkSync(join(base, target), at)
    if (type === 'fifo' || type === 'socket') linkSync((await specials())[type], at)
    if (mode !== undefined) chmodSync(at, Number.parseInt(mode, 8))
  }
}

/** Everything below a directory but one subtree, names, kinds, modes and contents, in one hash. */
export function hashTree(directory: string, except: string): string {
  const hash = createHash('sha256')
  const walk = (at: string, rel: string): void => {
    for (const name of readdirSync(at).toSorted()) {
      const path = join(at, name)
      const below = rel === '' ? name : `${rel}/${name}`
      if (below === except) continue
      const stats = lstatSync(path)
      hash.update(JSON.stringify([below, stats.mode, stats.ino]))
      if (stats.isDirectory()) walk(path, below)
      else if (stats.isSymbolicLink()) hash.update(readlinkSync(path))
      else if (stats.isFile()) hash.update(readFileSync(path))
    }
  }
  walk(directory, '')
  return hash.digest('hex')
}

/** Special files are slow to make, and a second name of one is as good as the first. */
let made: Promise<{ readonly fifo: string; readonly socket: string }> | undefined
const specials = () => (made ??= makeSpecials())

async function makeSpecials(): Promise<{ readonly fifo: string; readonly socket: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'toolwright-special-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const fifo = join(directory, 'fifo')
  const socket = join(directory, 'socket')
  const listening = join(directory, 'listening')
  execFileSync('mkfifo', [fifo])
  const server = createServer()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(listening, done))
  // A server removes its own name when it ends, and leaves this one.
  linkSync(listening, socket)
  await new Promise<void>(done => server.close(() => done()))
  return { fifo, socket }
}
