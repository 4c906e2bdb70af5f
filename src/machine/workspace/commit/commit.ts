import { ToolError } from '../../../kernel/error.ts'
import { apply, changedAside, check } from './apply.ts'
import type { CommitStore, HeldRoot, Place } from './commit-store.ts'
import { errnoOf } from '../disk-error.ts'
import { encodeEntryName, isCommitId } from './entry-name.ts'
import { decide, discard, seal, tidy } from './finish.ts'
import { pathsOf, type Intent, type Step } from './intent.ts'
import type { Operation } from '../operation.ts'
import { isCanonical, show } from '../path.ts'
import { noteCounting } from './pending-count.ts'
import { releaseLocks, takeLocks } from './git-locks.ts'
import { prepare } from './prepare.ts'
import { recover } from './recover.ts'
import { commitError, openSite, type Site } from './site.ts'
import type { Sys } from '../sys.ts'
import { revertCommit } from './revert-commit.ts'
import { readTally, writeTally, type Tally } from './tally.ts'
import type { Identity } from '../workspace.ts'

interface CommitOptions {
  /** Names the commit for undo; unique within the workspace. */
  readonly id: string
  /** The commit that this one undoes, or several. */
  readonly undoes?: string | readonly string[]
  /** Start time of a command that also changed the repository; absent for any other change. */
  readonly since?: number
  /** Syncs data that the caller must not lose once anything has changed. Runs together with the commit's own syncs. */
  readonly sync?: () => void
  readonly sys?: Sys
  readonly now?: number
}

export interface Committed {
  readonly id: string
  readonly changed: readonly string[]
  /** Disk usage of its undo record. */
  readonly bytes: number
  /** Identity of the file that the commit left at each path. */
  readonly identities: ReadonlyMap<string, Identity>
  readonly warnings: readonly string[]
  /** Totals of the undo records with this one, as noted; absent if they could not be. */
  readonly tally?: Tally
}

/**
 * Carries out all operations or none, despite any failure or crash. Call it under the workspace's lock. Throws
 * `conflict` if another program's work is in the way (which stays unchanged) and `io` on a system error.
 */
export function commit(
  root: HeldRoot,
  store: CommitStore,
  operations: readonly Operation[],
  options: CommitOptions,
): Committed {
  const { id, sys = root.sys } = options
  validate(id, operations)
  if (operations.length === 0) return { id, changed: [], bytes: 0, identities: new Map(), warnings: [] }
  try {
    recover(root, store, sys)
    return carryOut(root, store, operations, options)
  } catch (error) {
    throw commitError(error, root.path)
  }
}

function carryOut(
  root: HeldRoot,
  store: CommitStore,
  operations: readonly Operation[],
  { id, undoes, since, sync = () => {}, sys = root.sys, now = Date.now() }: CommitOptions,
): Committed {
  const place = store.active()
  const tally = readTally(sys, place)
  const bytes = costOf(operations)
  const name = encodeEntryName({ sequence: tally.next, at: now, bytes, id })
  const site = makeSite(sys, root.fd, place, name)
  try {
    const { steps, warnings: cautions } = orBack(site, place, name, [], () => prepare(site, operations))
    const warnings = [...cautions]
    if (steps.length === 0) {
      discard(site, place, name)
      return { id, changed: [], bytes: 0, identities: new Map(), warnings }
    }
    const more = { ...(since !== undefined && { since }), ...(undoes !== undefined && { undoes }) }
    const intent: Intent = { id, at: now, ...more, steps }
    orBack(site, place, name, [], () => decide(site, place, intent, store.key, sync))
    orBack(site, place, name, steps, () => {
      takeLocks(site, steps)
      apply(site, steps)
      site.sync()
      check(site, steps)
      seal(site)
    })
    let newTally: Tally | undefined
    afterwards(() => {
      releaseLocks(site, steps)
      for (const path of changedAside(site, steps)) warnings.push(lateWriter(path, id))
      tidy(site, place, name, steps)
      const { next, count, oldestAt = now } = tally
      const grown = { next: next + 1, count: count + 1, bytes: tally.bytes + bytes, oldestAt }
      writeTally(sys, place, grown)
      newTally = grown
    })
    const identities = identitiesOf(steps)
    return { id, changed: pathsOf(steps), bytes, identities, warnings, ...(newTally && { tally: newTally }) }
  } finally {
    site.close()
  }
}

function makeSite(sys: Sys, root: number, place: Place, name: string): Site {
  sys.mkdir(place.pending, name, 0o700)
  noteCounting(sys, place)
  try {
    return openSite(sys, root, place.pending, name, true)
  } catch (error) {
    sys.rmdir(place.pending, name)
    throw error
  }
}

/**
 * A failure leaves nothing behind: before the intent only our own directory exists; after it everything is rolled back.
 */
function orBack<T>(site: Site, place: Place, name: string, steps: readonly Step[], work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw back(site, place, name, steps, cause)
  }
}

function back(site: Site, place: Place, name: string, steps: readonly Step[], cause: unknown): unknown {
  try {
    if (site.sys.lstat(site.own, 'intent') !== undefined) return withKept(cause, revertCommit(site, place, name, steps))
    discard(site, place, name)
    return cause
  } catch (error) {
    if (!(commitError(error, name) instanceof ToolError)) return error
    return new ToolError('io', `${messageOf(cause)} It could not be rolled back now: ${messageOf(error)}`, {
      hint: 'The next opening of the workspace completes this first.',
      ...(cause instanceof ToolError && cause.details && { details: cause.details }),
      cause: error,
    })
  }
}

const withKept = (cause: unknown, kept: readonly string[]): unknown =>
  cause instanceof ToolError && kept.length > 0
    ? new ToolError(cause.code, cause.message, {
        hint: `${cause.hint ?? ''} Contents that could not be put back are kept: ${kept.join(', ')}.`.trim(),
        details: { ...cause.details, kept },
        cause,
      })
    : cause

const lateWriter = (path: string, id: string): string =>
  `Another program wrote to the old file of ${show(path)} at the last moment; undoing ${id} restores that write.`

/** The commit is in force: the next recovery completes what fails from here on. */
function afterwards(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
  }
}

function identitiesOf(steps: readonly Step[]): Map<string, Identity> {
  const identities = new Map<string, Identity>()
  for (const step of steps)
    if (step.kind === 'put') identities.set(step.path, step.made)
    else if (step.kind === 'move') identities.set(step.to, { ...step.base, mode: step.mode ?? step.base.mode })
    else if (step.kind === 'mode') identities.set(step.path, { ...step.base, mode: step.mode })
  return identities
}

const BLOCK = 4096
const blocks = (bytes: number): number => Math.ceil(bytes / BLOCK) * BLOCK

/** Returns the disk usage of the undo record: old contents, record and directory. */
function costOf(operations: readonly Operation[]): number {
  let [contents, record] = [0, 0]
  for (const operation of operations) {
    record +=
      400 + 3 * (operation.kind === 'move' ? operation.from.length + operation.to.length : operation.path.length)
    const old = operation.kind === 'put' || operation.kind === 'delete' ? operation.base : 'absent'
    if (old !== 'absent') contents += blocks(Number(old.size))
  }
  return contents + blocks(record) + BLOCK
}

function validate(id: string, operations: readonly Operation[]): void {
  if (!isCommitId(id)) throw new Error(`Not an id for a commit: ${JSON.stringify(id)}`)
  const usedMarks = new Set<string>()
  for (const operation of operations) {
    const comes = operation.kind === 'put' || operation.kind === 'mkdir' || operation.kind === 'mode'
    const marks =
      operation.kind === 'move' ? [`-${operation.from}`, `+${operation.to}`] : [`${comes ? '+' : '-'}${operation.path}`]
    for (const mark of marks) {
      if (!isCanonical(mark.slice(1))) throw new Error(`Not a canonical path: ${JSON.stringify(mark.slice(1))}`)
      if (usedMarks.has(mark)) throw new Error(`Two operations of one commit want ${JSON.stringify(mark.slice(1))}`)
      usedMarks.add(mark)
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
