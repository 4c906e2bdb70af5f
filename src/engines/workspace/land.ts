import type { Change } from '../../kernel/change.ts'
import { demandPassed } from '../process/demand-passed.ts'
import type { Validated, Validator } from '../process/validate.ts'
import type { Lock } from '../state/lock.ts'
import { commit } from './commit/commit.ts'
import type { CommitStore } from './commit/commit-store.ts'
import type { ReadMemory } from './read-memory.ts'
import type { Root } from './root.ts'
import type { Staging } from './staging.ts'

export interface Landed {
  readonly undo?: string
  readonly transaction?: string
  readonly warnings?: readonly string[]
}

/** The last step of every change: validators, the commit under the lock, and what is remembered of it. */
export interface Landing {
  land(
    staging: Staging,
    changes: readonly Change[],
    options: {
      readonly id: string
      readonly undoes?: string
      /** Carries the commit out between steps of its own, all of them under the lock. */
      readonly around?: <T>(commit: () => T) => T
    },
  ): Promise<Landed>
  /** Runs the validators that these changes concern on the tree as it would be. */
  validate(staging: Staging, changes: readonly Change[]): Promise<Validated[]>
}

export interface LandingParts {
  readonly root: Root
  readonly store: CommitStore
  readonly lock: Lock
  readonly memory: ReadMemory
  readonly validators: (paths: readonly string[]) => readonly Validator[]
  /** Runs them on the tree as it would be. */
  readonly validate: (staging: Staging, validators: readonly Validator[]) => Promise<Validated[]>
  /** Whether a commit has this name already; only needed where names are not made by chance. */
  readonly isTaken?: (id: string) => boolean
  /** Called after each commit with what it takes on disk; keeps the undo store within its bound. */
  readonly committed: (bytes: number) => void
}

export function createLanding({
  root,
  store,
  lock,
  memory,
  validators,
  validate,
  isTaken = () => false,
  committed,
}: LandingParts): Landing {
  const landing: Landing = {
    async land(staging, changes, { around, ...options }) {
      const operations = staging.toOperations()
      if (operations.length === 0) {
        if (around) lock.run(() => around(() => {}))
        return {}
      }
      demandPassed(await landing.validate(staging, changes))
      const carryOut = () => commit(root, store, operations, { ...options, id: freeId(options.id, isTaken) })
      const { id, warnings, bytes } = lock.run(() => (around ? around(carryOut) : carryOut()))
      memory.noteChanges(changes)
      committed(bytes)
      return { undo: id, ...(warnings.length > 0 && { warnings }) }
    },
    async validate(staging, changes) {
      const concerned = validators(changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])))
      return concerned.length === 0 ? [] : validate(staging, concerned)
    },
  }
  return landing
}

function freeId(id: string, isTaken: (id: string) => boolean): string {
  for (let count = 1; ; count++) {
    const name = count === 1 ? id : `${id}-${count}`
    if (!isTaken(name)) return name
  }
}
