import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs'
import type { BigIntStats } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import type { Vault } from '../../kernel/secret.ts'
import { parseSecretFile } from './secret-file.ts'

const largest = 1024 * 1024

/**
 * Secrets from a file (JSON, or KEY=VALUE lines) outside the workspace that only its owner can read. Read again after a
 * change. Refuses a file inside the workspace, also through a link, because an agent can write there.
 */
export const fileProvider = (path: string, workspaceRoot: string): Vault => {
  let cache: { readonly identity: string; readonly secrets: ReadonlyMap<string, string> } | undefined

  const load = (): ReadonlyMap<string, string> => {
    const real = realPath(path)
    if (isInside(real, realPath(workspaceRoot))) throw insideWorkspace(path)
    const descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(descriptor, { bigint: true })
      check(stats, path)
      const identity = [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join()
      if (cache?.identity === identity) return cache.secrets
      const secrets = parseSecretFile(readFileSync(descriptor, 'utf8'), path)
      cache = { identity, secrets }
      return secrets
    } finally {
      closeSync(descriptor)
    }
  }
  return { get: async key => load().get(key), keys: async () => [...load().keys()] }
}

const realPath = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch (cause) {
    throw new ToolError('not_found', `the secret file ${path} cannot be opened`, {
      hint: 'Create it with mode 0600, or take it out of the configuration.',
      cause,
    })
  }
}

const isInside = (path: string, root: string): boolean => {
  const way = relative(root, path)
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
}

const insideWorkspace = (path: string): ToolError =>
  new ToolError('denied', `the secret file ${path} is inside the workspace, where tools can read and change it`, {
    hint: 'Move it out of the workspace, for example to ~/.config/toolwright/secrets.env.',
  })

const check = (stats: BigIntStats, path: string): void => {
  if (!stats.isFile()) throw new ToolError('not_a_file', `the secret file ${path} is not a regular file`)
  if (stats.size > largest) throw new ToolError('too_large', `the secret file ${path} is larger than ${largest} bytes`)
  if (process.platform === 'win32') return
  const mode = Number(stats.mode) & 0o777
  if ((mode & 0o177) !== 0)
    throw new ToolError(
      'denied',
      `the secret file ${path} has mode 0${mode.toString(8)}: others may read or change it`,
      {
        hint: `Run: chmod 600 ${shellWord(path)}`,
      },
    )
  const user = process.getuid?.()
  if (user !== undefined && user !== 0 && Number(stats.uid) !== user && stats.uid !== 0n)
    throw new ToolError('denied', `the secret file ${path} belongs to another user`, {
      hint: 'Keep secrets in a file of your own.',
    })
}

const shellWord = (text: string): string => (/^[\w./~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)
