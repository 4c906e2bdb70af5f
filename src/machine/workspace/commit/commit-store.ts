import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../../kernel/error.ts'
import { writePrivateFile } from '../../state/private-file.ts'
import { errnoOf } from '../disk-error.ts'
import { mountIdOf, mountPointOf } from './mount.ts'
import { holdDirectory, type Sys } from '../sys.ts'

/** A directory of commits: `pending/` while they are made, `undo/` when they are done. All held. */
export interface Place {
  readonly path: string
  readonly dir: number
  readonly pending: number
  readonly undo: number
}

/** Storage for the commits of one workspace. */
export interface CommitStore {
  readonly sys: Sys
  /** Place for new commits, created on first use. */
  active(): Place
  /**
   * Every place with commits of this workspace, including earlier ones from before a mount or `.git` appeared or went.
   */
  places(): readonly Place[]
  /** Describes the place and the reason for it, in words. */
  describe(): string
  /** Signs intents; lies outside the workspace. */
  readonly key: KeyObject
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
  /** Returns undefined if it is missing and `make` is false, or if it cannot be created. */
  open(make: boolean): number | undefined
}

/**
 * Contents move between workspace and store by link and rename, which requires one mount. Uses the state directory if
 * it shares the root's mount, otherwise a directory under `.git` (which `git clean` leaves alone), otherwise one in the
 * root.
 */
export function openCommitStore(root: HeldRoot, stateDirectory: string): CommitStore {
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 })
  const { sys } = root
  const bytes = readKey(join(stateDirectory, 'commit.key'))
  // Made once: hashing with plain bytes makes one each time, which takes longer than the hash.
  const key = createSecretKey(bytes)
  const state = holdDirectory(stateDirectory)
  // Another state directory has another lock and another key, and so needs its own place.
  const tag = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const candidates = [inState(root, stateDirectory, state), inGit(root, tag), inRoot(root, tag)] as const
  const active = candidates[choose(root, state)]
  const open = new Map<Candidate, Place | undefined>()

  const place = (candidate: Candidate, make: boolean): Place | undefined => {
    const openPlace = open.get(candidate)
    // Another process may create the active place at any time; other missing places stay missing.
    if (openPlace !== undefined || (open.has(candidate) && !make && candidate !== active)) return openPlace
    const dir = candidate.open(make)
    const pending = dir === undefined ? undefined : enter(sys, dir, 'pending', make)
    const undo = dir === undefined ? undefined : enter(sys, dir, 'undo', make)
    const whole = dir !== undefined && pending !== undefined && undo !== undefined
    const openedPlace = whole ? { path: candidate.path, dir, pending, undo } : undefined
    if (!whole) for (const fd of [dir, pending, undo]) if (fd !== undefined) sys.close(fd)
    open.set(candidate, openedPlace)
    return openedPlace
  }

  return {
    sys,
    active() {
      const activePlace = place(active, true)
      if (activePlace === undefined) throw unusable(active.path)
      return activePlace
    },
    places: () => candidates.flatMap(candidate => place(candidate, false) ?? []),
    describe: () => `Commits are kept in ${active.path}: ${active.why()}.`,
    key,
    close() {
      for (const heldPlace of open.values())
        for (const fd of heldPlace ? [heldPlace.dir, heldPlace.pending, heldPlace.undo] : []) sys.close(fd)
      open.clear()
      sys.close(state)
    },
  }
}

function choose(root: HeldRoot, state: number): 0 | 1 | 2 {
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

const inGit = (root: HeldRoot, tag: string): Candidate => ({
  path: join(root.path, '.git', 'toolwright', tag),
  why: () => 'the state directory is on another mount than the workspace, and git leaves this place alone',
  open: make => within(root.sys, enter(root.sys, root.fd, '.git', false), ['toolwright', tag], make),
})

const inRoot = (root: HeldRoot, tag: string): Candidate => ({
  path: join(root.path, '.toolwright', tag),
  why: () =>
    'the state directory is on another mount than the workspace, and there is no .git; "git clean" would delete it',
  open(make) {
    const ownDirectory = enter(root.sys, root.fd, '.toolwright', make)
    if (ownDirectory !== undefined && make) ignoreInGit(root.sys, ownDirectory)
    return within(root.sys, ownDirectory, [tag], make)
  },
})

/** Descends by names and closes each directory it passes. */
function within(sys: Sys, dir: number | undefined, names: readonly string[], make: boolean): number | undefined {
  const [name, ...rest] = names
  if (dir === undefined || name === undefined) return dir
  try {
    return within(sys, enter(sys, dir, name, make), rest, make)
  } finally {
    sys.close(dir)
  }
}

/**
 * Holds a directory by name. Returns undefined if it is missing and `make` is false, or if a link or file has the name.
 */
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
  const temporaryFile = `${file}.${randomBytes(6).toString('hex')}`
  writePrivateFile(temporaryFile, randomBytes(32))
  try {
    // Not a rename: two processes that create the first key must end up with the same one.
    linkSync(temporaryFile, file)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(temporaryFile)
  }
  return readFileSync(file)
}

const unusable = (path: string): ToolError =>
  new ToolError('unavailable', `Changes cannot be committed: ${path} is not a directory that can be used for it.`, {
    hint: `Remove it, or put the state directory on the same mount as the workspace (TOOLWRIGHT_STATE).`,
  })
