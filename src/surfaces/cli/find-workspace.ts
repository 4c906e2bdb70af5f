import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, posix, relative, sep } from 'node:path'
import { sanitize } from '../../kernel/sanitize.ts'
import { homeDirectory, isKnownWorkspace, type Environment } from '../../machine/state/directory.ts'
import { warn, type Terminal } from './terminal.ts'
import { UsageError } from './usage.ts'

/** Contracts whose document makes the current directory the workspace. */
const AT_CURRENT_DIRECTORY: ReadonlySet<string> = new Set(['cli-agent'])

/** Reports whether only `--root` can choose a workspace other than the current directory. */
export const isAtCurrentDirectory = (contracts: readonly string[]): boolean =>
  contracts.some(id => AT_CURRENT_DIRECTORY.has(id))

interface Wishes {
  readonly root?: string | undefined
  readonly json?: boolean | undefined
  readonly contract?: string | readonly string[] | undefined
}

/**
 * Returns the workspace of a command: `--root`, or one found from the current directory upwards, which is then
 * reported.
 */
export function workspaceOf(terminal: Terminal, { root, json, contract = [] }: Wishes): string {
  if (root !== undefined) return root
  const { cwd, env } = terminal
  if (isAtCurrentDirectory([contract].flat())) return cwd
  const workspace = findWorkspace(cwd, env)
  if (isWithin(homeOf(env), realOf(workspace) ?? workspace))
    throw new UsageError(
      `${sanitize(cwd)} is not a workspace: it is the home directory or above. Go to a project, or give --root DIR`,
    )
  if (workspace !== cwd && !json) warn(terminal, `Workspace: ${sanitize(workspace)}`)
  return workspace
}

/**
 * Returns the nearest parent directory with a `toolwright.json`, a repository or a known workspace, or else the current
 * directory. Like git, it stays on one file system and ignores directories of other users, because anyone who can write
 * there could choose the workspace. The home directory is never chosen for its contents.
 */
export function findWorkspace(cwd: string, env: Environment): string {
  const start = realOf(cwd)
  if (start === undefined) return cwd
  const home = homeOf(env)
  const { dev } = statSync(start)
  for (let directory = start; ;) {
    if (isWorkspace(directory, env)) return directory === start ? cwd : directory
    const parent = dirname(directory)
    if (parent === directory || isWithin(home, parent) || !isOwn(parent, dev)) return cwd
    directory = parent
  }
}

const homeOf = (env: Environment): string => realOf(homeDirectory(env)) ?? homeDirectory(env)

const isWorkspace = (directory: string, env: Environment): boolean =>
  existsSync(join(directory, 'toolwright.json')) || isRepository(directory) || isKnownWorkspace(directory, env)

/** In a linked worktree and in a submodule `.git` is a file. */
function isRepository(directory: string): boolean {
  const place = statSync(join(directory, '.git'), { throwIfNoEntry: false })
  return place?.isFile() === true || existsSync(join(directory, '.git', 'HEAD'))
}

const WRITABLE_BY_ALL = 0o002

function isOwn(directory: string, dev: number): boolean {
  const { uid, mode, dev: device } = statSync(directory)
  const isUsers = process.getuid === undefined || uid === process.getuid()
  return device === dev && isUsers && (mode & WRITABLE_BY_ALL) === 0
}

const isWithin = (path: string, directory: string): boolean => {
  const way = relative(directory, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch {
    return undefined
  }
}

/**
 * Converts paths between the current directory and the workspace. Paths are relative to the current directory if it is
 * in the workspace, else to the workspace.
 */
export interface Here {
  /** The current directory as a path of the workspace. */
  readonly path: string
  /** Converts a typed path to a path of the workspace. */
  typed(path: string): string
  /** Converts a path of the workspace to one that a person would type. */
  shown(path: string): string
}

export function hereIn(root: string, cwd: string): Here {
  const [realRoot, realCwd] = [realOf(root), realOf(cwd)]
  const isInside = realRoot !== undefined && realCwd !== undefined && isWithin(realCwd, realRoot)
  const below = isInside ? relative(realRoot, realCwd).split(sep).join('/') : ''
  const isWhole = (path: string): boolean => path === '' || path.startsWith('ref:') || isAbsolute(path)
  return {
    path: below === '' ? '.' : below,
    typed(path) {
      if (isWhole(path)) return path
      const whole = below === '' ? path : `${below}/${path}`
      return realRoot === undefined ? whole : plainPath(realRoot, whole)
    },
    shown(path) {
      if (below === '' || isWhole(path)) return path
      const plain = posix.join('/', path)
      // For the current directory or a parent, shows its name, which `..` alone would not.
      const isAround = plain !== '/' && `/${below}/`.startsWith(`${plain}/`)
      if (!isAround) return posix.relative(`/${below}`, plain) || '.'
      return posix.join(posix.relative(`/${below}`, posix.dirname(plain)), posix.basename(plain))
    },
  }
}

/**
 * Normalizes a path of the workspace: no `.`, `..` or doubled slashes. After a link, `..` refers to the link's target,
 * so directories before the last `..` are resolved. A path that leads out of the workspace or nowhere stays unchanged.
 */
function plainPath(root: string, path: string): string {
  const parts = path.split('/')
  const up = parts.lastIndexOf('..') + 1
  if (up === 0) return posix.normalize(path)
  const real = realOf(`${root}/${parts.slice(0, up).join('/')}`)
  if (real === undefined || !isWithin(real, root)) return path
  return posix.join(relative(root, real).split(sep).join('/'), ...parts.slice(up))
}
