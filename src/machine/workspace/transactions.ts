import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import type { Lock } from '../state/lock.ts'
import { show } from './path.ts'
import { loadStaging, MANIFEST, saveStaging } from './stage-store.ts'
import type { Staged } from './staged.ts'
import { createStaging, type Staging } from './staging.ts'

/** Changes of several calls that land together; kept on disk, so that separate processes can add to it. */
export interface Transaction {
  readonly id: string
  /** False for an id under which nothing was ever begun or staged. */
  isBegun(): boolean
  /** What is staged by now, whoever staged it. Where what was kept is damaged, every use of it throws `io`. */
  staging(): Staging
  /** Keeps it although nothing is staged yet. */
  begin(): void
  /** Takes in what a call staged over this; `conflict` where somebody else staged something at the same path meanwhile. */
  add(layer: Staging): void
  /** Forgets everything that was staged. */
  forget(): void
  /** What is staged at this moment, for `end`. */
  snapshot(): Snapshot
  /** Forgets what has landed; false if somebody has staged more meanwhile, which stays. */
  end(landed: Snapshot): boolean
}

interface Snapshot {
  /** Changes whenever something is staged. */
  readonly version: string
  readonly entries: readonly (readonly [string, Staged])[]
}

/** The transaction that a session is in, if it is in one. */
export interface Transactions {
  current(): Transaction | undefined
  /** Starts one (`begun`), or goes on with one of that id; the session is in it until it is ended. */
  enter(id: string, options?: { readonly begun?: boolean }): Transaction
}

/** The first of these names that no transaction of the workspace has, also none that was left open. */
export function freeTransactionId(directory: string, newId: () => string): string {
  for (;;) {
    const id = newId()
    if (stampOf(join(directory, id)) === '') return id
  }
}

interface OpenTransaction {
  readonly id: string
  /** When something was last staged into it. */
  readonly at: number
  /** The staged paths; undefined if what was kept is damaged. */
  readonly paths: readonly string[] | undefined
}

/** The transactions that were begun and neither committed nor rolled back, the newest first. */
export function listTransactions(directory: string): OpenTransaction[] {
  const names = readdirSync(directory, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return names
    .flatMap(({ name: id }) => {
      const stats = statSync(join(directory, id, MANIFEST), { throwIfNoEntry: false })
      return stats ? [{ id, at: stats.mtimeMs, paths: stagedPaths(join(directory, id)) }] : []
    })
    .toSorted((one, other) => other.at - one.at)
}

function stagedPaths(place: string): readonly string[] | undefined {
  try {
    return loadStaging(place)
      ?.entries()
      .map(([path]) => path)
  } catch {
    // Whoever enters it is told what is wrong with it.
    return undefined
  }
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

export function createTransactions(directory: string, lock: Lock): Transactions {
  let current: Transaction | undefined
  return {
    current: () => current,
    enter(id, { begun = false } = {}) {
      if (!ID.test(id))
        throw new ToolError('invalid_input', `'${id}' cannot be the id of a transaction`, {
          hint: 'Use up to 64 letters, digits, dots, dashes and underscores',
        })
      const transaction = openTransaction(id, join(directory, id), lock, () => (current = undefined))
      current = begun ? { ...transaction, isBegun: () => true } : transaction
      return current
    },
  }
}

function openTransaction(id: string, place: string, lock: Lock, ended: () => void): Transaction {
  let staging = createStaging()
  /** Which manifest `staging` was read from or written to. */
  let stamp = ''

  /** Another process may have staged something, or ended it, since we looked. */
  const fresh = (): Staging => {
    const now = stampOf(place)
    if (now !== stamp) {
      staging = load(place)
      stamp = now
    }
    return staging
  }
  const save = (): void => {
    saveStaging(place, staging)
    stamp = stampOf(place)
  }
  const forget = (): void => {
    rmSync(place, { recursive: true, force: true })
    ended()
  }

  return {
    id,
    isBegun: () => stampOf(place) !== '',
    staging: fresh,
    begin: () =>
      lock.run(() => {
        fresh()
        save()
      }),
    add: layer =>
      lock.run(() => {
        const now = fresh()
        for (const [path, staged] of layer.own()) {
          const there = stateIn(now.get(path))
          if (there !== stateIn(layer.below?.get(path)) && there !== stateIn(staged)) throw overtaken(id, path)
        }
        for (const [path, { base, state }] of layer.own()) now.set(path, base, state)
        save()
      }),
    forget: () => lock.run(forget),
    snapshot: () => ({ version: stampOf(place), entries: fresh().entries() }),
    end: ({ version, entries }) =>
      lock.run(() => {
        if (stampOf(place) === version) {
          forget()
          return true
        }
        const landed = new Map(entries)
        const rest = fresh()
          .entries()
          .filter(([path, staged]) => stateIn(staged) !== stateIn(landed.get(path)))
        staging = createStaging()
        for (const [path, { base, state }] of rest) staging.set(path, base, state)
        save()
        return false
      }),
  }
}

/** A damaged transaction can be entered, so that it can be rolled back. */
function load(place: string): Staging {
  try {
    return loadStaging(place) ?? createStaging()
  } catch (error) {
    const fail = (): never => {
      throw error
    }
    const verbs = { isEmpty: fail, get: fail, set: fail, own: fail, entries: fail, mergeDown: fail }
    return { below: undefined, ...verbs, clear: fail, toOperations: fail }
  }
}

/** Empty if there is none. A new manifest is a new file. */
function stampOf(place: string): string {
  const stats = statSync(join(place, MANIFEST), { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : ''
}

/** What is to be at a path, in words that can be compared. */
function stateIn(staged: Staged | undefined): string {
  if (staged === undefined) return ''
  const { type, ...state } = staged.state
  const part = (name: string): unknown => Reflect.get(state, name)
  return JSON.stringify([type, part('hash'), part('mode'), part('source'), part('target')])
}

const overtaken = (id: string, path: string): ToolError =>
  new ToolError('conflict', `Somebody else changed ${show(path)} in transaction '${id}' at the same time`, {
    hint: 'Read it again and repeat the change',
  })
