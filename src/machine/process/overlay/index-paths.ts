import { nameFromBytes } from '../../workspace/name.ts'
import { isDotGit, gitFoldedName } from '../../workspace/git-folded-name.ts'
import { show } from '../../workspace/path.ts'
import { modeOf, type GitIndex, type IndexEntry } from '../../workspace/git-index.ts'

const [DIRECTORY, FILE, LINK, SUBMODULE] = [0o4, 0o10, 0o12, 0o16]
const STAGE = 0x3000
/** Extensions known to git that change the meaning of entries. */
const SPLIT = 'link'
const SPARSE = 'sdir'

/**
 * Returns why git would refuse to check these entries out, or would write through a link or into `.git`. Returns
 * undefined if all are harmless. `ignoresCase`: names that differ only in case are equal.
 */
export function refusedEntry(index: GitIndex, ignoresCase: boolean): string | undefined {
  const names = new Set(index.extensions.map(({ name }) => name))
  const unknown = [...names].find(name => /^[^A-Z]/.test(name) && name !== SPLIT && name !== SPARSE)
  if (unknown !== undefined) return 'the index has an extension that git does not know'
  const fold = (path: string): string => (ignoresCase ? path.split('/').map(gitFoldedName).join('/') : path)
  const entries = index.entries.map(entry => ({
    entry,
    path: nameFromBytes(entry.path),
    type: modeOf(entry) >>> 12,
  }))
  const links = new Set(
    entries
      .filter(({ entry, type }) => (type === LINK || type === SUBMODULE) && (entry.flags & STAGE) === 0)
      .map(({ path }) => fold(path)),
  )
  for (const [at, { entry, path, type }] of entries.entries()) {
    // Replacements of shared entries in a split index have no path.
    if (path === '' && names.has(SPLIT)) continue
    const isSparse = type === DIRECTORY && names.has(SPARSE)
    if (type !== FILE && type !== LINK && type !== SUBMODULE && !isSparse)
      return `the index has ${show(path)} with a mode that git does not know`
    if (isRefused(isSparse ? path.replace(/\/$/, '') : path, type))
      return `the index has ${show(path)}, which git refuses to check out`
    const before = entries[at - 1]?.entry
    if (before && before.path.length > 0 && !isBehind(entry, before)) return `the index has ${show(path)} out of order`
    if (links.size > 0 && directoriesOf(fold(path)).some(directory => links.has(directory)))
      return `the index has ${show(path)} behind a link`
  }
  return undefined
}

/** Follows git's own check, with protection for NTFS and HFS+ enabled. */
export function isRefused(path: string, type: number = FILE): boolean {
  if (/^[a-z]:([/\\]|$)/i.test(path)) return true
  return path.split('/').some(name => {
    if (name === '' || name === '.') return true
    if (name.split('\\').some(part => part === '..' || isDotGit(part))) return true
    return type === LINK && isModules(gitFoldedName(name))
  })
}

/** Git reads a repository's submodules from this file, under any name that the file system accepts for it. */
const isModules = (loose: string): boolean =>
  loose === '.gitmodules' || /^(gitmod~[1-4]|gi7eba~\d+|gi7eb~\d+|gi7e~\d+|gi7~\d+|gi~\d+|g~\d+|~\d+)$/.test(loose)

const isBehind = (entry: IndexEntry, before: IndexEntry): boolean => {
  const order = Buffer.compare(before.path, entry.path)
  return order < 0 || (order === 0 && (before.flags & STAGE) !== 0 && (before.flags & STAGE) <= (entry.flags & STAGE))
}

function directoriesOf(path: string): string[] {
  const parents: string[] = []
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) parents.push(path.slice(0, at))
  return parents
}
