import { createHash } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { refuseInside } from './outside.ts'
import {
  ensureKind,
  ensureOwn,
  ensureOwnEntry,
  makePrivateDirectory,
  readOwnFile,
  writePrivateFile,
} from './private-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** All stored state of one workspace: outside of it, private to this user. */
export interface WorkspaceState {
  readonly key: string
  /** The real path of the workspace. */
  readonly root: string
  /** The state directory that holds all workspaces. */
  readonly home: string
  /** This workspace's own directory in it. */
  readonly path: string
  readonly journal: string
  readonly journalLock: string
  /** Calls of each process that have begun and not ended. */
  readonly calls: string
  /** The journal's head, stored apart from the journal. */
  readonly head: string
  readonly payloads: string
  readonly transactions: string
  /** Commits for undo, if this is on the workspace's mount. */
  readonly commits: string
  /** Caches of search, index, graphs and documentation: one directory each. */
  readonly caches: readonly string[]
  /** Denied paths in the git history. */
  readonly history: string
  /** Records of background commands that have not been swept up after. */
  readonly background: string
  /** Records of ignored paths that are landing. */
  readonly landings: string
  /** Held by a commit and by recovery. */
  readonly lock: string
  readonly ledger: string
  /** Questions that wait for a person. */
  readonly pending: string
  /** Logs of the runs of agents, one file each. */
  readonly runs: string
  /** Lines of metrics, if the workspace is read-only. */
  readonly metrics: string
  /** The plan shared by commands typed in this workspace. */
  readonly plan: string
  /** Past fixes of all workspaces: what was learned in a clone outlives it. */
  readonly fixes: string
  readonly approvals: string
  readonly approvalsLock: string
  /** Rules of scope `user`, shared by all workspaces. */
  readonly userApprovals: string
  readonly userApprovalsLock: string
  /** Stored rules that deny, of this workspace and of all. */
  readonly denials: string
  readonly userDenials: string
}

/** Content of `workspace.json`, for people and for the garbage collector. */
interface WorkspaceNote {
  readonly root: string
  readonly ino: string
  readonly born: string
  readonly since: string
}

/** Returns the state directory of this machine. Creates nothing. */
export function stateDirectory(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const stateSetting = absolute(env, 'TOOLWRIGHT_STATE')
  if (stateSetting) return stateSetting
  if (platform === 'win32')
    return join(env['LOCALAPPDATA'] ?? join(homeDirectory(env), 'AppData', 'Local'), 'toolwright', 'state')
  const xdg = env['XDG_STATE_HOME']
  if (xdg && isAbsolute(xdg)) return join(xdg, 'toolwright')
  if (platform === 'darwin') return join(homeDirectory(env), 'Library', 'Application Support', 'toolwright')
  return join(homeDirectory(env), '.local', 'state', 'toolwright')
}

/** Returns the directory of the user's configuration and trust. Creates nothing. */
export function configDirectory(env: Environment, platform: NodeJS.Platform = process.platform): string {
  const configSetting = absolute(env, 'TOOLWRIGHT_CONFIG_HOME')
  if (configSetting) return configSetting
  const xdg = env['XDG_CONFIG_HOME']
  if (xdg && isAbsolute(xdg)) return join(xdg, 'toolwright')
  if (platform === 'win32')
    return join(env['APPDATA'] ?? join(homeDirectory(env), 'AppData', 'Roaming'), 'toolwright', 'config')
  return join(homeDirectory(env), '.config', 'toolwright')
}

/**
 * Opens the state of one workspace, created on first use. Its key covers the real path and the root directory's
 * identity: another repository at the same path starts with nothing.
 */
export function workspaceState(root: string, env: Environment): WorkspaceState {
  const real = realRoot(root)
  const stateHome = stateDirectory(env)
  refuseInside(real, stateHome, 'state directory', 'Set TOOLWRIGHT_STATE to a directory outside the workspace.')
  const note = noteOf(real)
  const state = placesOf(stateHome, keyOf(note), real)
  prepare(state, note)
  return state
}

/** Reports whether a directory was opened as a workspace before. Creates nothing. */
export const isKnownWorkspace = (directory: string, env: Environment): boolean =>
  existsSync(join(stateDirectory(env), 'workspaces', keyOf(noteOf(directory)), 'workspace.json'))

/** The files that rules deny or that hold secrets, with their inodes, as the last list of the workspace's files has them. */
export const guardedFilesOf = (state: string): string => join(state, 'guarded-files.json')

/** Returns the places of a workspace with a known key. Creates nothing. */
export function placesOf(stateHome: string, key: string, root: string): WorkspaceState {
  const path = join(stateHome, 'workspaces', key)
  return {
    key,
    root,
    home: stateHome,
    path,
    journal: join(path, 'journal'),
    journalLock: join(path, 'journal.lock'),
    calls: join(path, 'calls'),
    head: join(stateHome, 'heads', `${key}.json`),
    payloads: join(path, 'payloads'),
    transactions: join(path, 'transactions'),
    commits: join(path, 'commits'),
    caches: ['search', 'index', 'code', 'documentation'].map(name => join(path, name)),
    history: join(path, 'history.json'),
    background: join(path, 'background'),
    landings: join(path, 'landings'),
    lock: join(path, 'commit.lock'),
    ledger: join(path, 'ledger.sqlite'),
    pending: join(path, 'pending.sqlite'),
    runs: join(path, 'runs'),
    metrics: join(path, 'metrics'),
    plan: join(path, 'plan.json'),
    fixes: join(stateHome, 'memory', 'fixes.sqlite'),
    approvals: join(path, 'approvals.json'),
    approvalsLock: join(path, 'approvals.lock'),
    userApprovals: join(stateHome, 'approvals.json'),
    userApprovalsLock: join(stateHome, 'approvals.lock'),
    denials: join(path, 'denials.json'),
    userDenials: join(stateHome, 'denials.json'),
  }
}

function realRoot(root: string): string {
  try {
    const real = realpathSync.native(root)
    if (statSync(real).isDirectory()) return real
  } catch (cause) {
    throw new ToolError('not_found', `The workspace ${root} cannot be opened.`, {
      hint: 'Name a directory that exists and that you may read.',
      cause,
    })
  }
  throw new ToolError('not_a_directory', `The workspace ${root} is not a directory.`, { hint: 'Name a directory.' })
}

/** Inode and birth time, without the device number, which changes with a remount. */
function noteOf(root: string): WorkspaceNote {
  const { ino, birthtimeNs } = statSync(root, { bigint: true })
  return { root, ino: String(ino), born: String(birthtimeNs), since: new Date().toISOString() }
}

const keyOf = ({ root, ino, born }: WorkspaceNote): string =>
  createHash('sha256').update(`${root}\0${ino}\0${born}`).digest('hex').slice(0, 24)

function prepare(state: WorkspaceState, note: WorkspaceNote): void {
  const file = join(state.path, 'workspace.json')
  // Before any write to a place that another user prepared.
  ensureOwnState(state)
  if (existsSync(file)) return
  for (const part of [state.journal, state.payloads, state.transactions]) makePrivateDirectory(part)
  makePrivateDirectory(join(state.home, 'heads'))
  writePrivateFile(file, `${JSON.stringify(note, null, 2)}\n`)
  ensureOwnState(state)
}

/** State that answers questions, records events or lands later must be private to this user. */
function ensureOwnState(state: WorkspaceState): void {
  ensureOwnHome(state.home)
  const {
    path: folder,
    journal,
    calls,
    payloads,
    transactions,
    commits,
    ledger,
    pending,
    approvals,
    head,
    userApprovals,
    denials,
    userDenials,
  } = state
  const stateFiles = ['workspace.json', 'commit.key', 'journal.lock', 'commit.lock'].map(name => join(state.path, name))
  const directories = [folder, join(folder, 'resident'), journal, calls, payloads, transactions, commits, dirname(head)]
  const files = [...stateFiles, ledger, pending, approvals, head, userApprovals, denials, userDenials]
  for (const path of directories) {
    ensureOwnEntry(path, STATE)
    ensureKind(path, 'directory')
  }
  for (const path of files) {
    ensureOwnEntry(path, STATE)
    ensureKind(path, 'file')
  }
}

/** Checks the state directory and the directory of all workspaces. */
export function ensureOwnHome(home: string): void {
  ensureOwn(home, STATE)
  ensureOwnEntry(join(home, 'workspaces'), STATE)
}

const STATE = {
  what: 'state directory',
  hint: 'Make it yours (chown, chmod go-w), or set TOOLWRIGHT_STATE to a directory of your own.',
}

function absolute(env: Environment, name: string): string | undefined {
  const value = env[name]
  if (!value) return undefined
  if (isAbsolute(value)) return value
  throw new ToolError('invalid_input', `${name} must be an absolute path, not ${JSON.stringify(value)}.`, {
    hint: `Set ${name} to a full path outside the workspace.`,
  })
}

/** Returns the caller's home directory. */
export const homeDirectory = (env: Environment): string => env['HOME'] || env['USERPROFILE'] || homedir()

interface GuardedFile {
  readonly path: string
  readonly ino: number
}

/** Returns a function that reads the stored list of guarded files, again if it changed. Empty if there is none. */
export function guardedFiles(state: string): () => readonly GuardedFile[] {
  const file = guardedFilesOf(state)
  let [lastRead, files]: [bigint | undefined, readonly GuardedFile[]] = [undefined, []]
  return () => {
    const now = statSync(file, { throwIfNoEntry: false, bigint: true })?.mtimeNs
    if (now !== lastRead) files = now === undefined ? [] : readGuarded(file)
    lastRead = now
    return files
  }
}

function readGuarded(file: string): readonly GuardedFile[] {
  try {
    const value: unknown = JSON.parse(readOwnFile(file).toString('utf8'))
    return Array.isArray(value) ? value.filter(isGuarded) : []
  } catch {
    return []
  }
}

const isGuarded = (found: unknown): found is GuardedFile =>
  typeof Object(found).path === 'string' && typeof Object(found).ino === 'number'
