import { createHash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import { identityOf, LINK_TYPE, permissionsOf } from '../identity.ts'
import type { Base, Operation } from '../operation.ts'
import { show } from '../path.ts'
import { isObjectPath, isRecordPath } from '../repository-path.ts'
import type { CommitStore, HeldRoot } from './commit-store.ts'
import { readWhole } from './file-bytes.ts'
import type { Step } from './intent.ts'
import { contentOf, emptiedDirectories, look, parents } from './invert.ts'
import { listUndo, lookUp, recordOf, undoneCommits } from './list-undo.ts'
import { commitError, openSite, type Site } from './site.ts'

/** Where the old content of a path is stored: in the record of a commit. */
interface Stored {
  readonly site: Site
  readonly file: string
}

type FileState = 'absent' | { readonly hash: string | undefined; readonly mode: number; readonly stored?: Stored }

/** What a task did to one path: its state before the first of its commits and after the last. */
interface PathEffect {
  readonly before: FileState
  after: FileState
  /** Someone else changed it between two of the task's commits. */
  isMixed: boolean
}

/** Returns the commits of a task that are in force, of those given, the oldest first. */
export function standingCommits(store: CommitStore, ids: readonly string[]): readonly string[] {
  const kept = new Set(listUndo(store).map(({ id }) => id))
  const undone = undoneCommits(store)
  return ids.filter(id => {
    const by = undone.get(id)
    return kept.has(id) && (by === undefined || ids.includes(by))
  })
}

/**
 * Returns the operations that take back what several commits did together, and leave what others did since. Throws
 * `conflict` with each path that others changed: nothing of theirs is lost, and nothing is changed.
 */
export function undoTaskOperations(root: HeldRoot, store: CommitStore, ids: readonly string[]): Operation[] {
  const sites = ids.map(id => {
    const entry = lookUp(store, id)
    return { steps: recordOf(store, entry).steps, site: openSite(root.sys, root.fd, entry.place.undo, entry.name) }
  })
  const [{ site } = { site: undefined }] = sites
  if (!site) return []
  try {
    const effects = effectsOf(sites)
    const { operations, conflicts } = inverse(site, effects)
    if (conflicts.length > 0) throw conflictError(conflicts)
    const steps = sites.flatMap(each => each.steps)
    const made = steps.flatMap(step => (step.kind === 'mkdir' ? [step.path] : []))
    const emptied = emptiedDirectories(site, [...new Set(made)], operations)
    const removed = steps.flatMap((step): Operation[] =>
      step.kind === 'rmdir' && !made.includes(step.path) && look(site, step.path) === undefined
        ? [{ kind: 'mkdir', path: step.path, mode: step.mode }]
        : [],
    )
    const all = [...removed, ...operations]
    return [...parents(site, all), ...all, ...emptied.map((path): Operation => ({ kind: 'rmdir', path }))]
  } catch (error) {
    throw commitError(error, ids.at(-1) ?? '')
  } finally {
    for (const each of sites) each.site.close()
  }
}

function effectsOf(
  commits: readonly { readonly steps: readonly Step[]; readonly site: Site }[],
): ReadonlyMap<string, PathEffect> {
  const effects = new Map<string, PathEffect>()
  const set = (path: string, before: FileState, after: FileState): void => {
    const known = effects.get(path)
    if (!known) effects.set(path, { before, after, isMixed: false })
    else {
      if (!isSame(known.after, before)) known.isMixed = true
      known.after = after
    }
  }
  for (const { steps, site } of commits)
    for (const [index, step] of steps.entries()) {
      const old = (mode: number): FileState => oldState(site, `x${index}`, mode)
      if (step.kind === 'put')
        set(step.path, step.base === 'absent' ? 'absent' : old(step.base.mode), {
          hash: step.hash,
          mode: step.mode & 0o7777,
        })
      else if (step.kind === 'delete') set(step.path, old(step.base.mode), 'absent')
      else if (step.kind === 'mode') {
        const { hash } = Object(effects.get(step.path)?.after)
        set(step.path, { hash, mode: step.base.mode }, { hash, mode: step.mode })
      } else if (step.kind === 'move' && !step.directory) {
        const { from, to, base, mode = base.mode, hash } = step
        const known = effects.get(from)?.after
        const moved = known === undefined || known === 'absent' ? { hash, mode: base.mode } : known
        set(from, moved, 'absent')
        set(to, 'absent', { ...moved, mode })
      }
    }
  return effects
}

function oldState(site: Site, file: string, mode: number): FileState {
  const { sys, own } = site
  const stats = sys.lstat(own, file)
  const stored = { site, file }
  if (stats?.isSymbolicLink()) return { hash: sha256(sys.readlink(own, file)), mode: 0o777, stored }
  return stats?.isFile() ? { hash: sha256(readWhole(sys, own, file)), mode, stored } : { hash: undefined, mode }
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** A content whose hash is not known is taken for the same. */
const isSame = (one: FileState, other: FileState): boolean => {
  if (one === 'absent' || other === 'absent') return one === other
  const isSameContent = one.hash === undefined || other.hash === undefined || one.hash === other.hash
  return isSameContent && one.mode === other.mode
}

interface Conflict {
  readonly path: string
  readonly why: string
}

function inverse(site: Site, effects: ReadonlyMap<string, PathEffect>) {
  const operations: Operation[] = []
  const conflicts: Conflict[] = []
  for (const [path, { before, after, isMixed }] of effects) {
    if (isObjectPath(path)) continue
    const there = look(site, path)
    if (isMixed) conflicts.push({ path, why: 'was changed by others in between' })
    else if (isSame(before, after) && before !== 'absent' && after !== 'absent' && before.hash !== undefined) continue
    else if (before === 'absent' && after === 'absent') continue
    else if (there === undefined) {
      if (after !== 'absent') conflicts.push({ path, why: 'is gone' })
      else if (before !== 'absent') bringBack(path, before, 'absent')
    } else if (after === 'absent') conflicts.push({ path, why: 'was created again' })
    else if (after.hash !== undefined && contentOf(site, path, there) !== after.hash)
      conflicts.push({ path, why: 'was changed since' })
    else if (permissionsOf(there) !== after.mode && !there.isSymbolicLink())
      conflicts.push({ path, why: 'has another mode now' })
    else if (before === 'absent') operations.push({ kind: 'delete', path, base: identityOf(there) })
    else if (before.hash === after.hash && before.mode !== after.mode)
      operations.push({ kind: 'mode', path, mode: before.mode, base: identityOf(there) })
    else bringBack(path, before, identityOf(there))
  }
  return { operations, conflicts: conflicts.filter(({ path }) => !isRecordPath(path)) }

  function bringBack(path: string, { hash, mode, stored }: Exclude<FileState, 'absent'>, base: Base): void {
    const bytes = stored ? storedBytes(stored) : movedBytes(hash)
    if (bytes === undefined) conflicts.push({ path, why: 'the old content is no longer kept' })
    else operations.push({ kind: 'put', path, base, ...bytes, mode: bytes.mode ?? mode })
  }

  /** Returns what was moved away, from where the task left it. */
  function movedBytes(hash: string | undefined): { bytes: Buffer; mode?: number } | undefined {
    if (hash === undefined) return undefined
    for (const [path, { after }] of effects) {
      const there = after !== 'absent' && after.hash === hash ? look(site, path) : undefined
      if (!there || contentOf(site, path, there) !== hash) continue
      const { dir, name } = site.at(path)
      return there.isSymbolicLink()
        ? { bytes: site.sys.readlink(dir, name), mode: LINK_TYPE | 0o777 }
        : { bytes: readWhole(site.sys, dir, name) }
    }
    return undefined
  }
}

function storedBytes({ site: { sys, own }, file }: Stored): { bytes: Buffer; mode?: number } | undefined {
  const stats = sys.lstat(own, file)
  if (stats?.isSymbolicLink()) return { bytes: sys.readlink(own, file), mode: LINK_TYPE | 0o777 }
  return stats?.isFile() ? { bytes: readWhole(sys, own, file) } : undefined
}

const conflictError = (conflicts: readonly Conflict[]): ToolError =>
  new ToolError(
    'conflict',
    `The task cannot be undone as a whole: ${conflicts.map(({ path, why }) => `${show(path)} ${why}`).join('; ')}.`,
    {
      hint: 'Nothing was changed. Undo what came later first, or single commits of the task by their ids',
      details: { paths: conflicts.map(({ path }) => path) },
    },
  )
