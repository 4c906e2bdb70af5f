import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openToolkit, type Toolkit, type ToolkitOptions } from '../toolkit.ts'

/** Every path of a tree with its content: compare two to see what a call really did. */
export type Snapshot = Readonly<Record<string, string>>

/** A real directory with real state beside it, removed after the test. */
export interface TemporaryWorkspace extends AsyncDisposable {
  readonly path: string
  /** The directory that holds the workspace and its state; anything else in it is outside. */
  readonly base: string
  readonly env: Readonly<Record<string, string>>
  write(path: string, content: string | Buffer, mode?: number): void
  read(path: string): string
  snapshot(): Snapshot
  open(options?: Omit<ToolkitOptions, 'root' | 'env'>): Promise<Toolkit>
  remove(): Promise<void>
}

/** Creates a workspace with these files. The user's own configuration and state are neither seen nor touched. */
export function temporaryWorkspace(files: Readonly<Record<string, string | Buffer>> = {}): TemporaryWorkspace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-test-')))
  const path = join(base, 'workspace')
  mkdirSync(path)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(base, 'home'),
    TOOLWRIGHT_STATE: join(base, 'state'),
    TOOLWRIGHT_CONFIG_HOME: join(base, 'config'),
    ...(process.env['TOOLWRIGHT_CHECK_ANSWERS'] && { TOOLWRIGHT_CHECK_ANSWERS: '1' }),
  }
  const kits: Toolkit[] = []
  const workspace: TemporaryWorkspace = {
    path,
    base,
    env,
    write(name, content, mode = 0o644) {
      mkdirSync(dirname(join(path, name)), { recursive: true })
      writeFileSync(join(path, name), content, { mode })
    },
    read: name => readFileSync(join(path, name), 'utf8'),
    snapshot: () => snapshotOf(path),
    async open(options = {}) {
      // Starting servers takes longer than most tests.
      const kit = await openToolkit({ effects: 'off', ...options, root: path, env })
      kits.push(kit)
      return kit
    },
    async remove() {
      for (const kit of kits) await kit.close()
      // One of our processes that is ending may still write its last.
      rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
    },
    [Symbol.asyncDispose]: () => workspace.remove(),
  }
  for (const [name, content] of Object.entries(files)) workspace.write(name, content)
  return workspace
}

/** Returns the state of every path below a directory: kind, mode and a hash of the content. */
export function snapshotOf(directory: string, prefix = ''): Snapshot {
  const states: Record<string, string> = {}
  for (const name of readdirSync(directory).toSorted()) {
    const path = join(directory, name)
    const stats = lstatSync(path)
    const mode = (stats.mode & 0o7777).toString(8)
    if (stats.isDirectory()) {
      states[`${prefix}${name}/`] = mode
      Object.assign(states, snapshotOf(path, `${prefix}${name}/`))
    } else if (stats.isSymbolicLink()) states[prefix + name] = `-> ${readlinkSync(path)}`
    else if (stats.isFile())
      states[prefix + name] = `${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
    else states[prefix + name] = 'special'
  }
  return states
}
