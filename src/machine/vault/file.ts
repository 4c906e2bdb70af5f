import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync, type BigIntStats } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import type { Vault } from '../../kernel/secret.ts'

/** Returns the secrets in a file: a JSON object of strings, or lines of KEY=VALUE. Errors never repeat its content. */
const parseSecretFile = (text: string, path: string): Map<string, string> => {
  const content = text.replace(/^\ufeff/, '')
  return /^\s*\{/.test(content) ? fromJson(content, path) : fromLines(content, path)
}

const fromJson = (content: string, path: string): Map<string, string> => {
  const value = parseJson(content)
  if (typeof value !== 'object' || value === null) throw malformedFile(path, 'it is not a JSON object')
  const secrets = new Map<string, string>()
  for (const [key, secret] of Object.entries(value)) {
    if (typeof secret !== 'string') throw malformedFile(path, `the value of ${JSON.stringify(key)} is not a string`)
    secrets.set(key, secret)
  }
  return secrets
}

const parseJson = (content: string): unknown => {
  try {
    return JSON.parse(content)
  } catch {
    // The parser's message would quote the file.
    return undefined
  }
}

const fromLines = (content: string, path: string): Map<string, string> => {
  const secrets = new Map<string, string>()
  for (const [at, line] of content.split(/\r?\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const [, key, value] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    if (key === undefined || value === undefined) throw malformedFile(path, `line ${at + 1} is not KEY=VALUE`)
    secrets.set(key, unquote(value))
  }
  return secrets
}

/**
 * Single quotes keep everything; double quotes support \n, \", \\ and similar; without quotes ` #` begins a comment.
 */
const unquote = (value: string): string => {
  const single = /^'([^']*)'(?:\s+#.*)?$/.exec(value)
  if (single) return single[1] ?? ''
  const double = /^"((?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(value)
  if (double) return (double[1] ?? '').replace(/\\(.)/g, (_, next: string) => escapes[next] ?? next)
  return value.replace(/\s+#.*$/, '')
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

const malformedFile = (path: string, why: string): ToolError =>
  new ToolError('invalid_input', `the secret file ${path} cannot be read: ${why}`, {
    hint: 'Write one KEY=VALUE on each line, or one JSON object whose values are strings.',
  })

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
