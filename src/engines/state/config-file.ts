import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'

export interface ConfigFile {
  readonly path: string
  readonly text: string
  /** sha256 of the text: what trust is pinned to. */
  readonly hash: string
}

export const PROJECT_FILE = 'toolwright.json'
export const USER_FILE = 'config.json'

/** The user's own configuration; undefined where there is none. */
export const userConfig = (configDirectory: string): ConfigFile | undefined =>
  readConfig(join(configDirectory, USER_FILE), true)

/** The configuration that lies in the project; undefined where there is none. */
export const projectConfig = (root: string): ConfigFile | undefined => readConfig(join(root, PROJECT_FILE), true)

/** A configuration that somebody named; it must be there. */
export function namedConfig(path: string): ConfigFile {
  const found = readConfig(path, false)
  if (found) return found
  throw new ToolError('not_found', `The configuration ${path} does not exist`)
}

function readConfig(path: string, optional: boolean): ConfigFile | undefined {
  try {
    const text = readRegular(path)
    return { path, text, hash: createHash('sha256').update(text).digest('hex') }
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && (cause.code === 'ENOENT' || cause.code === 'ENOTDIR')
    if (missing) return undefined
    throw new ToolError('io', `The configuration ${path} cannot be read`, {
      hint: optional ? 'Mend its permissions, or remove it' : 'Name a file that you may read',
      cause,
    })
  }
}

/** Anybody may have put a fifo there: it is opened without waiting, and only a regular file is read. */
function readRegular(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(fd).isFile()) throw new Error('not a regular file')
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}
