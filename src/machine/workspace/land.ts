import type { Change } from '../../kernel/change.ts'
import { onceLoaded } from '../../kernel/once.ts'
import type { Validated, Validator } from './validators.ts'
import type { Lock } from '../state/lock.ts'
import type { CommitStore } from './commit/commit-store.ts'
import type { Bounds } from './commit/retention.ts'
import type { ReadMemory } from './read-memory.ts'
import { isRepositoryPath } from './path.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'

export interface Landed {
  readonly undo?: string
  readonly transaction?: string
  readonly warnings?: readonly string[]
}

/** A command's repository changes, which land with the commit and under the same lock. */
export interface Around {
  /** Start time of the command. */
  readonly since: number
  /** Carries out the commit between its own steps. */
  land<T>(commit: () => T): T
}

/** The last step of every change: validators, the commit under the lock, and the memory of it. */
export interface Landing {
  land(
    staging: Staging,
    changes: readonly Change[],
    options: {
      readonly id: string
      readonly undoes?: string | readonly string[]
      /** Records what is about to land, right before the commit. If it throws, nothing lands. */
      readonly begin: () => void
      readonly around?: Around
    },
  ): Promise<Landed>
  /** Runs the validators for these changes on the resulting tree. */
  validate(staging: Staging, changes: readonly Change[]): Promise<Validated[]>
}

interface LandingParts {
  readonly root: Root
  readonly store: CommitStore
  readonly lock: Lock
  readonly memory: ReadMemory
  readonly validators: (paths: readonly string[]) => readonly Validator[]
  /** Runs them on the resulting tree. */
  readonly validate: (staging: Staging, validators: readonly Validator[]) => Promise<Validated[]>
  /** Loads a check that throws if staged changes of the repository lead to objects that it does not have. */
  readonly objectCheck: () => Promise<(staging: Staging) => void>
  /** Reports whether a commit already has this name; only needed if names are not random. */
  readonly isTaken?: (id: string) => boolean
  /** Limits for undo records, enforced after each commit. */
  readonly bounds: () => Bounds
  /** Syncs the record of `begin`. */
  readonly sync: () => void
  /** Called after each commit with its disk usage. */
  readonly committed: (bytes: number) => void
}

/** Loaded before the lock is taken: most sessions change nothing. */
const committing = onceLoaded(async () => {
  const [{ commit }, { prune }, { ensurePassed }, { refuseRepository }, { withFreshIndex }] = await Promise.all([
    import('./commit/commit.ts'),
    import('./commit/retention.ts'),
    import('./validators.ts'),
    import('./refuse-repository.ts'),
    import('./fresh-index.ts'),
  ])
  return { commit, prune, ensurePassed, refuseRepository, withFreshIndex }
})

export function createLanding({
  root,
  store,
  lock,
  memory,
  validators,
  validate,
  objectCheck,
  isTaken = () => false,
  bounds,
  sync,
  committed,
}: LandingParts): Landing {
  const landing: Landing = {
    async land(staging, changes, { around, begin, ...options }) {
      const operations = staging.toOperations()
      if (operations.length === 0) {
        if (!around) return {}
        begin()
        sync()
        lock.run(() => around.land(() => {}))
        return {}
      }
      const validations = await landing.validate(staging, changes)
      const { commit, prune, ensurePassed, refuseRepository, withFreshIndex } = await committing()
      const ensureObjects = changesRepository(staging) ? await objectCheck() : undefined
      ensurePassed(validations)
      begin()
      const carryOut = () => {
        // Under the lock: two concurrent calls could each bring a part.
        refuseRepository(root, staging, options.undoes !== undefined)
        ensureObjects?.(staging)
        const since = around && { since: around.since }
        const current = withFreshIndex(root, staging, operations)
        return commit(root, store, current, { ...options, ...since, sync, id: freeId(options.id, isTaken) })
      }
      const { id, warnings, bytes } = lock.run(() => {
        const outcome = around ? around.land(carryOut) : carryOut()
        memory.noteChanges(changes, staging)
        prune(store, bounds(), outcome.tally)
        return outcome
      })
      committed(bytes)
      return { undo: id, ...(warnings.length > 0 && { warnings }) }
    },
    async validate(staging, changes) {
      const concernedValidators = validators(
        changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])),
      )
      return concernedValidators.length === 0 ? [] : validate(staging, concernedValidators)
    },
  }
  return landing
}

const changesRepository = (staging: Staging): boolean => staging.entries().some(([path]) => isRepositoryPath(path))

function freeId(id: string, isTaken: (id: string) => boolean): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? id : `${id}-${count}`
    if (!isTaken(name)) return name
  }
}
