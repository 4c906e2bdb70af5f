import { lstatSync } from 'node:fs'
import { hash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import type { HiddenPaths } from '../../../kernel/hidden-paths.ts'
import { hiddenPaths, type HiddenMemory } from '../../../machine/process/overlay/hidden-paths.ts'
import { layerPath } from '../../../machine/process/overlay/layer-path.ts'
import { show } from '../../../machine/workspace/path.ts'
import type { Root } from '../../../machine/workspace/root.ts'
import { NOTHING_HIDDEN, type HiddenFiles } from './hidden-files.ts'

interface Known {
  readonly memory: HiddenMemory
  last: HiddenFiles | undefined
}

/** By open directory, because several workspaces may share the same rules. */
const hiddenCache = new WeakMap<HiddenPaths, WeakMap<Root, Known>>()
/** The most paths that a sandbox masks. */
const MOST = 1_500
const MOST_TRIES = 5

/**
 * Runs work that must not see hidden files. Accepts its result only if the hidden files are unchanged afterwards: the
 * process could have read a file that appeared or was replaced meanwhile. Starts with the last known hidden files, and
 * repeats the work if they changed.
 */
export async function whileHidden<T>(
  root: Root,
  hides: HiddenPaths | undefined,
  work: (hidden: HiddenFiles) => Promise<T>,
): Promise<T> {
  if (!hides) return work(NOTHING_HIDDEN)
  const lookState = knownOf(hides, root)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const hiddenFiles = lookState.last ?? look(root, hides, lookState)
    const outcome = await work(hiddenFiles).then(
      value => () => value,
      (error: unknown) => () => {
        throw error
      },
    )
    if (look(root, hides, lookState).key === hiddenFiles.key) return outcome()
  }
  throw new ToolError('unavailable', 'Files that may not be read kept changing during this question', {
    hint: 'Ask again when they no longer change',
  })
}

function look(root: Root, hides: HiddenPaths, mine: Known): HiddenFiles {
  mine.last = undefined
  // Looks into `.git` too: commands are judged by what they have git show, but a server may read files there directly.
  const everywhere: HiddenPaths = { ...hides, names: () => true }
  const identities = hiddenPaths(root, everywhere, mine.memory).flatMap(path => identityOf(root, path) ?? [])
  if (identities.length > MOST) throw tooMany(identities.length)
  const paths = identities.map(({ path }) => path).toSorted()
  const key = identities.length === 0 ? '' : hash('sha256', JSON.stringify(identities.map(({ id }) => id).toSorted()))
  return (mine.last = { key, paths })
}

/**
 * Identifies a file, since a mask is lost with the file below it: another file of the same name must be hidden anew.
 * Skips links: their targets have names of their own.
 */
function identityOf(root: Root, path: string): { readonly path: string; readonly id: string } | undefined {
  const place = layerPath(`/proc/self/fd/${root.fd}/.`, path)
  const stats = lstatSync(place, { bigint: true, throwIfNoEntry: false })
  if (!stats || stats.isSymbolicLink()) return undefined
  if (!path.isWellFormed()) throw unspellable(path)
  // Not every file system records creation times, and inode numbers are reused.
  return { path, id: `${path}\0${stats.dev} ${stats.ino} ${stats.birthtimeNs || stats.ctimeNs}` }
}

function knownOf(hides: HiddenPaths, root: Root): Known {
  const byRoot = hiddenCache.get(hides) ?? new WeakMap<Root, Known>()
  hiddenCache.set(hides, byRoot)
  const lookState = byRoot.get(root) ?? { memory: new Map(), last: undefined }
  byRoot.set(root, lookState)
  return lookState
}

/** A mount over a file has to spell its path. */
const unspellable = (path: string): ToolError =>
  new ToolError('unavailable', `${show(path)} may not be read, and cannot be hidden from a language server`, {
    hint: 'Its name is not UTF-8: give it another one, or have a rule name its directory',
  })

const tooMany = (count: number): ToolError =>
  new ToolError('unavailable', `${count} files may not be read, more than can be hidden from a language server`, {
    hint: `Write the rules so that they name directories, for example src/keys/** in place of **/*.key`,
  })
