import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'

const MOST_BYTES = 4096

/** Reports whether git accepts this as HEAD: a plain branch name or a commit id. */
function isHead(text: string): boolean {
  const line = text.replace(/\n$/, '')
  // The second form occurs in every repository that stores its references in a table.
  if (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(line) || line === 'ref: refs/heads/.invalid') return true
  return line.startsWith('ref: ') && isRefName(line.slice('ref: '.length))
}

/** Reports whether git accepts this as a full reference name. Bytes and characters beyond ASCII count as letters. */
export const isRefName = (name: string): boolean => /^refs\/[!-~\u0080-\uffff]+$/.test(name) && !NO_NAME.test(name)

/** Sequences that no branch name contains. */
const NO_NAME = /[~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\/$|\.$|\.lock(\/|$)/

/**
 * Returns why `.git` would stop being a repository after these changes, or undefined. Git skips a broken one and takes
 * the workspace itself for a repository, with any configuration found there.
 */
export function breaksRepository(root: string, changes: readonly LayerChange[]): string | undefined {
  const changesByPath = new Map(changes.map(one => [one.path, one]))
  const before = kindAt(join(root, '.git'))
  if (changesByPath.get('.git')?.type === 'absent' || (before !== 'directory' && before !== 'absent'))
    return 'it is not a directory'
  if (!headStands()) return 'HEAD names neither a branch nor a commit'
  const missing = ['objects', 'refs'].find(name => !isDirectory(`.git/${name}`))
  return missing && `${missing} is not a directory`

  function headStands(): boolean {
    const one = changesByPath.get('.git/HEAD')
    if (one === undefined) return isHeadFile(join(root, '.git/HEAD'))
    // An unreadable HEAD counts as missing.
    if (one.type !== 'file' || (one.mode & 0o400) === 0 || one.size > MOST_BYTES) return false
    return isHead(bytesOf(one).toString('latin1'))
  }

  function isDirectory(path: string): boolean {
    const one = changesByPath.get(path)
    return (one?.type ?? kindAt(join(root, path))) === 'directory'
  }
}

/** Reports whether a valid HEAD lies at this place; a link is not valid. */
export function isHeadFile(place: string): boolean {
  try {
    const stats = lstatSync(place)
    return stats.isFile() && stats.size <= MOST_BYTES && isHead(readFileSync(place, 'latin1'))
  } catch {
    return false
  }
}

/** Returns the type of an entry, links not followed. */
export function kindAt(place: string): 'absent' | 'file' | 'directory' | 'other' {
  try {
    const stats = lstatSync(place)
    return stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other'
  } catch {
    return 'absent'
  }
}
