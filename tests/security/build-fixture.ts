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
import { join } from 'node:path'
import { snapshotOf, type Snapshot } from '../../src/testing/temporary-workspace.ts'
import { fastDirectory } from '../memory-directory.ts'
import { makeBase } from './world.ts'

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

/** One tree as it was built: its `{BASE}`, the workspace in it, and a hash of everything around that. */
export interface BuiltFixture {
  readonly base: string
  readonly inside: Snapshot
  readonly outside: string
}

/** The tree of the path rows, shared by those that leave it as it was. */
export interface SharedFixture {
  /** Builds it anew where the last row changed anything in it. */
  built(): Promise<BuiltFixture>
  close(): void
}

export function sharedFixture(fixture: Fixture): SharedFixture {
  let last: (BuiltFixture & { readonly hash: string }) | undefined
  const remove = () => {
    if (last) rmSync(last.base, { recursive: true, force: true })
    last = undefined
  }
  return {
    async built() {
      if (last && hashTree(last.base) === last.hash) return last
      remove()
      const base = makeBase()
      await build(base, fixture)
      last = { base, hash: hashTree(base), inside: snapshotOf(join(base, 'ws')), outside: hashTree(base, 'ws') }
      return last
    },
    close() {
      remove()
      removeSpecials()
    },
  }
}

/** Puts the real directories in the place of `{BASE}` and `{ROOT}`. */
export const filled = (base: string, text: string): string =>
  text.replaceAll('{ROOT}', join(base, 'ws')).replaceAll('{BASE}', base)

async function build(base: string, { entries }: Fixture): Promise<void> {
  for (const { p, type, content = '', target = '', mode } of entries) {
    const at = join(base, p)
    if (type === 'dir') mkdirSync(at, { recursive: true })
    if (type === 'file') writeFileSync(at, content)
    if (type === 'symlink') symlinkSync(filled(base, target), at)
    if (type === 'hardlink') linkSync(join(base, target), at)
    if (type === 'fifo' || type === 'socket') linkSync((await specials())[type], at)
    if (mode !== undefined) chmodSync(at, Number.parseInt(mode, 8))
  }
}

/** Everything below a directory, but one subtree if given: names, kinds, modes and contents, in one hash. */
export function hashTree(directory: string, except?: string): string {
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

interface Specials {
  readonly fifo: string
  readonly socket: string
}

/** Special files are slow to make, and a second name of one is as good as the first. */
let made: { readonly directory: string; readonly files: Promise<Specials> } | undefined

function specials(): Promise<Specials> {
  if (made === undefined) {
    const directory = mkdtempSync(join(fastDirectory, 'toolwright-special-'))
    made = { directory, files: makeSpecials(directory) }
  }
  return made.files
}

function removeSpecials(): void {
  if (made) rmSync(made.directory, { recursive: true, force: true })
  made = undefined
}

async function makeSpecials(directory: string): Promise<Specials> {
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
