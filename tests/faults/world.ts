import {
  chmodSync,
  existsSync,
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
import { dirname, join } from 'node:path'
import { openCommitStore, type CommitStore, type HeldRoot } from '../../src/machine/workspace/commit/commit-store.ts'
import { identityOf } from '../../src/machine/workspace/identity.ts'
import { holdDirectory, linuxSys, type Sys } from '../../src/machine/workspace/sys.ts'
import type { Identity } from '../../src/machine/workspace/workspace.ts'
import { fastDirectory } from '../memory-directory.ts'

/** A tree by path: a file's content with its mode, a link's text, or a directory. */
export type Tree = ReadonlyMap<string, string>

export const file = (content: string, mode = 0o644): string => `file ${mode.toString(8)} ${content}`
export const directory = (mode = 0o755): string => `directory ${mode.toString(8)}`
export const link = (text: string): string => `link ${text}`

export interface World {
  readonly path: string
  readonly root: string
  readonly state: string
  identity(path: string): Identity
  /** What is in the workspace now. */
  tree(): Map<string, string>
  /** Everything in the commit store, by path. */
  stored(): string[]
  open(sys?: Sys): { root: HeldRoot; store: CommitStore; close(): void }
  reset(tree: Tree): void
  remove(): void
}

/** A workspace with its own state directory on the same file system. */
export function makeWorld(tree: Tree, below = fastDirectory): World {
  const world = worldAt(mkdtempSync(join(below, 'toolwright-faults-')))
  world.reset(tree)
  return world
}

/** The same one, seen by another process. */
export function worldAt(path: string): World {
  const root = join(path, 'workspace')
  const state = join(path, 'state')
  return {
    path,
    root,
    state,
    identity: name => identityOf(lstatSync(join(root, name), { bigint: true })),
    tree: () => read(root),
    stored: () => (existsSync(join(state, 'commits')) ? [...read(join(state, 'commits')).keys()] : []),
    open(sys = linuxSys) {
      const held = { path: root, fd: holdDirectory(root), sys }
      const store = openCommitStore(held, state)
      return {
        root: held,
        store,
        close() {
          store.close()
          linuxSys.close(held.fd)
        },
      }
    },
    reset(fresh) {
      rmSync(root, { recursive: true, force: true })
      // The key outlives it: making one waits for the disk.
      rmSync(join(state, 'commits'), { recursive: true, force: true })
      mkdirSync(root)
      plant(root, fresh)
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

function plant(root: string, tree: Tree): void {
  for (const [path, what] of tree) {
    const place = join(root, path)
    mkdirSync(dirname(place), { recursive: true, mode: 0o755 })
    const [kind = '', mode = ''] = what.split(' ', 2)
    if (kind === 'link') symlinkSync(what.slice(5), place)
    else if (kind === 'directory') mkdirSync(place, { recursive: true })
    else writeFileSync(place, what.slice(6 + mode.length))
    if (kind !== 'link') chmodSync(place, Number.parseInt(mode, 8))
  }
}

function read(root: string): Map<string, string> {
  const tree = new Map<string, string>()
  const walk = (below: string): void => {
    for (const name of readdirSync(join(root, below)).toSorted()) {
      const path = below === '' ? name : `${below}/${name}`
      const place = join(root, path)
      const stats = lstatSync(place)
      const mode = stats.mode & 0o7777
      if (stats.isSymbolicLink()) tree.set(path, link(readlinkSync(place)))
      else if (stats.isDirectory()) {
        tree.set(path, directory(mode))
        walk(path)
      } else
        tree.set(path, file(readFileSync(place, 'latin1'), mode) + (stats.nlink > 1 ? ` (${stats.nlink} names)` : ''))
    }
  }
  walk('')
  return tree
}

/** The differences between two trees, one line each; empty where they are the same. */
export function differences(found: Tree, expected: Tree): string[] {
  const paths = new Set([...found.keys(), ...expected.keys()])
  return [...paths].flatMap(path =>
    found.get(path) === expected.get(path) ? [] : [`${path}: ${found.get(path)} instead of ${expected.get(path)}`],
  )
}
