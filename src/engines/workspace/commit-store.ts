import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { writePrivateFile } from '../state/private-file.ts'
import { errnoOf } from './disk-error.ts'
import { mountIdOf, mountPointOf } from './mount.ts'
import { holdDirectory, type Sys } from './sys.ts'

/** A directory where commits lie: `pending/` while they are made, `undo/` when they are done. All held. */
export interface Place {
  readonly path: string
  readonly dir: number
  readonly pending: number
  readonly undo: number
}

/** Where the commits of one workspace are kept. */
export interface CommitStore {
  readonly sys: Sys
  /** Where new commits go; made on first use. */
  active(): Place
  /** Every place that holds commits of this workspace: earlier ones too, left when a mount or `.git` came or went. */
  places(): readonly Place[]
  /** Which place it is and why, in words. */
  describe(): string
  /** Signs intents; lies outside the workspace. */
  key(): Buffer
  close(): void
}

export interface HeldRoot {
  readonly path: string
  readonly fd: number
  readonly sys: Sys
}

interface Candidate {
  readonly path: string
  why(): string
  open(make: boolean): number | undefined
}

/**
 * Contents are moved between workspace and store by link and rename, which only works on one mount: the state directory
 * where it shares the root's, else a directory under `.git` (which `git clean` leaves alone), else one in the root.
 */
export function openCommitStore(root: HeldRoot, stateDirectory: string): CommitStore {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 })
  const state = holdDirectory(stateDirectory)
  const candidates = [inState(root, stateDirectory, state), inGit(root), inRoot(root)]
  const chosen = choose(root, state)
  const active = candidates[chosen]
  const open = new Map<Candidate, Place>()
  let key: Buffer | undefined

  const place = (candidate: Candidate, make: boolean): Place | undefined => {
    const known = open.get(candidate)
    if (known !== undefined) return known
    const dir = candidate.open(make)
    if (dir === undefined) return undefined
    const pending = enter(root.sys, dir, 'pending', make)
    const undo = pending === undefined ? undefined : enter(root.sys, dir, 'undo', make)
    if (pending === undefined || undo === undefined) {
      for (const fd of [dir, pending]) if (fd !== undefined) root.sys.close(fd)
      return undefined
    }
    const found = { path: candidate.path, dir, pending, undo }
    open.set(candidate, found)
    return found
  }

  return {
    sys: root.sys,
    active() {
      const found = active && place(active, true)
      if (found === undefined) throw unusable(active?.path ?? root.path)
      return found
    },
    places: () => candidates.flatMap(candidate => place(candidate, false) ?? []),
    describe: () => `Commits are kept in ${active?.path}: ${active?.why()}.`,
    key: () => (key ??= readKey(join(stateDirectory, 'commit.key'))),
    close() {
      for (const { dir, pending, undo } of open.values()) for (const fd of [dir, pending, undo]) root.sys.close(fd)
      open.clear()
      root.sys.close(state)
    },
  }
}

function choose(root: HeldRoot, state: number): number {
  const mount = mountIdOf(root.fd)
  if (mountIdOf(state) === mount) return 0
  const git = enter(root.sys, root.fd, '.git', false)
  if (git === undefined) return 2
  const same = mountIdOf(git) === mount
  root.sys.close(git)
  return same ? 1 : 2
}

const inState = (root: HeldRoot, path: string, state: number): Candidate => ({
  path: join(path, 'commits'),
  why: () => `the state directory is on the same mount as the workspace (${mountPointOf(root.fd) ?? 'unnamed'})`,
  open: make => enter(root.sys, state, 'commits', make),
})

const inGit = (root: HeldRoot): Candidate => ({
  path: join(root.path, '.git', 'toolwright'),
  why: () => 'the state directory is on another mount than the workspace, and git leaves this place alone',
  open(make) {
    const git = enter(root.sys, root.fd, '.git', false)
    if (git === undefined) return undefined
    try {
      return enter(root.sys, git, 'toolwright', make)
    } finally {
      root.sys.close(git)
    }
  },
})

const inRoot = (root: HeldRoot): Candidate => ({
  path: join(root.path, '.toolwright'),
  why: () =>
    'the state directory is on another mount than the workspace, and there is no .git; "git clean" would delete it',
  open(make) {
    const own = enter(root.sys, root.fd, '.toolwright', make)
    if (own !== undefined && make) ignoreInGit(root.sys, own)
    return own
  },
})

/** Holds a directory by name; undefined where there is none and none is to be made, or where a link or file is. */
function enter(sys: Sys, dir: number, name: string, make: boolean): number | undefined {
  try {
    return sys.openDirectory(dir, name)
  } catch (error) {
    const errno = errnoOf(error)
    if (errno === 'ENOTDIR' || (errno === 'ENOENT' && !make)) return undefined
    if (errno !== 'ENOENT') throw error
  }
  try {
    sys.mkdir(dir, name, 0o700)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  }
  sys.syncDirectory(dir)
  return sys.openDirectory(dir, name)
}

function ignoreInGit(sys: Sys, dir: number): void {
  if (sys.lstat(dir, '.gitignore') !== undefined) return
  const fd = sys.createFile(dir, '.gitignore', 0o600)
  try {
    sys.write(fd, Buffer.from('*\n'), 0)
  } finally {
    sys.close(fd)
  }
}

function readKey(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error
  }
  writePrivateFile(file, randomBytes(32))
  return readFileSync(file)
}

const unusable = (path: string): ToolError =>
  new ToolError('unavailable', `Changes cannot be committed: ${path} is not a directory that can be used for it.`, {
    hint: `Remove what is there, or put the state directory on the same mount as the workspace (TOOLWRIGHT_STATE).`,
  })
