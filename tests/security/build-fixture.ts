import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
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
    if (type === 'fifo') execFileSync('mkfifo', [at])
    if (type === 'socket') await leaveSocket(at)
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

/** A server removes its socket when it ends, so the file is moved out of its reach first. */
async function leaveSocket(at: string): Promise<void> {
  const server = createServer()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(`${at}~`, done))
  linkSync(`${at}~`, at)
  await new Promise<void>(done => server.close(() => done()))
}
