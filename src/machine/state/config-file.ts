import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import { ensureOwn } from './private-file.ts'

interface ConfigFile {
  readonly path: string
  readonly text: string
  /** sha256 of the text; trust is pinned to it. */
  readonly hash: string
}

export const PROJECT_FILE = 'toolwright.json'
export const USER_FILE = 'config.json'

/**
 * Reads the user's configuration, or returns undefined without one. Refuses a file that another user could have
 * written.
 */
export function userConfig(configDirectory: string): ConfigFile | undefined {
  const path = join(configDirectory, USER_FILE)
  ensureOwn(path, OWN_CONFIG)
  return readConfig(path, { optional: true })
}

/** For everything in the configuration directory. */
export const OWN_CONFIG = {
  what: 'configuration',
  hint: 'Make it yours (chown, chmod go-w), or set TOOLWRIGHT_CONFIG_HOME to a directory of your own.',
}

/**
 * Reads the project's configuration, or returns undefined without one. Refuses a link, which could lead to any file of
 * the user.
 */
export const projectConfig = (root: string): ConfigFile | undefined =>
  readConfig(join(root, PROJECT_FILE), { optional: true, noLink: true })

/** Reads a configuration named by the caller; it must exist. It may belong to the workspace's owner. */
export function namedConfig(path: string, root?: string): ConfigFile {
  const owner = root === undefined ? undefined : statSync(root, { throwIfNoEntry: false })?.uid
  ensureOwn(path, {
    what: 'configuration',
    hint: 'Make it yours (chown, chmod go-w), or name a file that no other user can change',
    ...(owner !== undefined && { owner }),
  })
  const config = readConfig(path, {})
  if (config) return config
  throw new ToolError('not_found', `The configuration ${path} does not exist`)
}

function readConfig(
  path: string,
  { optional = false, noLink = false }: { readonly optional?: boolean; readonly noLink?: boolean },
): ConfigFile | undefined {
  try {
    const text = readRegular(path, noLink)
    return { path, text, hash: createHash('sha256').update(text).digest('hex') }
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
    if (missing) return undefined
    if (noLink && cause instanceof Error && 'code' in cause && cause.code === 'ELOOP')
      throw new ToolError('denied', `The project's configuration ${path} is a link, and links are not followed there`, {
        hint: 'Put the file itself there, or remove the link',
        cause,
      })
    throw new ToolError('io', `The configuration ${path} cannot be read`, {
      hint: optional ? 'Fix its permissions, or remove it' : 'Name a file that you may read',
      cause,
    })
  }
}

/** Another user may have placed a fifo: opens without waiting and reads only a regular file. */
function readRegular(path: string, noLink: boolean): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (noLink ? constants.O_NOFOLLOW : 0))
  try {
    if (!fstatSync(fd).isFile()) throw new Error('not a regular file')
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}
