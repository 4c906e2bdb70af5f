import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { show } from '../../workspace/path.ts'
import type { ShapeTree } from '../../workspace/repository-shape.ts'
import { parseIndex, type GitIndex, type IdSize } from '../../workspace/git-index.ts'
import { isForeignState, isReferencePath } from './git-state-files.ts'
import { refusedEntry } from './index-paths.ts'
import { shapedByIndex } from './index-shape.ts'
import type { LayerChange } from './layer-change.ts'
import { bytesOf } from './stage-changes.ts'

const INDEX = /^(index|sharedindex\.[0-9a-f]+)$/
const MOST_BYTES = 512 * 1024 ** 2

/**
 * Returns the change under `.git` that git would refuse or be misled by. Returns undefined if git would write all of it
 * itself. `worktree`: the files beside it, as the command left them.
 */
export function refusedContent(root: string, changes: readonly LayerChange[], worktree: ShapeTree): string | undefined {
  let config: string | undefined
  const indexes: GitIndex[] = []
  for (const one of changes) {
    const name = one.path.slice('.git/'.length)
    if (one.type === 'absent' || !one.path.startsWith('.git/')) continue
    if (/^refs\/./.test(name) && !isPartOfReference(name, one.type)) return `git knows no reference ${show(name)}`
    if (one.type !== 'file' || name.startsWith('objects/') || name.startsWith('logs/')) continue
    if (one.size > MOST_BYTES) return `${show(one.path)} is too large to check`
    const bytes = bytesOf(one)
    if (INDEX.test(name)) {
      config ??= configOf(root)
      const index = parseIndex(bytes, idSizeOf(config))
      if (index === undefined) return 'the index is not in a form that git writes'
      const why = refusedEntry(index, /\bignorecase\b(?!\s*=\s*"?(false|no|off|0))/i.test(config))
      if (why !== undefined) return why
      indexes.push(index)
    } else if (isForeignState(name, bytes.toString('latin1'))) return `${show(one.path)} is not what git writes there`
  }
  return indexes.length > 0 ? shapedByIndex(indexesBefore(root, idSizeOf(config ?? '')), indexes, worktree) : undefined
}

/** A directory of references has no rules except those for the names below it. */
const isPartOfReference = (name: string, type: LayerChange['type']): boolean =>
  isReferencePath(type === 'directory' ? `${name}/x` : name)

const idSizeOf = (config: string): IdSize => (/\bobjectformat\s*=\s*"?sha256/i.test(config) ? 32 : 20)

/** Returns the current index, whole or split. Empty if the command created the repository. */
function indexesBefore(root: string, idSize: IdSize): readonly GitIndex[] {
  const repository = join(root, '.git')
  if (!lstatSync(repository, { throwIfNoEntry: false })?.isDirectory()) return []
  return readdirSync(repository)
    .filter(name => INDEX.test(name))
    .flatMap(name => {
      const place = join(repository, name)
      return lstatSync(place).isFile() ? (parseIndex(readFileSync(place), idSize) ?? []) : []
    })
}

/** Never reads the command's version: a configuration does not land. */
function configOf(root: string): string {
  try {
    const place = join(root, '.git/config')
    return lstatSync(place).isFile() ? readFileSync(place, 'latin1') : ''
  } catch {
    return ''
  }
}
