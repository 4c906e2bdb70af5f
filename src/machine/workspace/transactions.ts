import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '../../kernel/error.ts'
import type { Lock } from '../state/lock.ts'
import { show, withoutRepositoryFiles } from './path.ts'
import { loadStaging, MANIFEST, saveStaging } from './stage-store.ts'
import type { Staged } from './staged.ts'
import { createStaging, type Staging } from './staging.ts'

/** Changes of several calls that land together. Stored on disk, so that separate processes can add to it. */
export interface Transaction {
  readonly id: string
  /** Reports whether anything was begun or staged under this id. */
  isBegun(): boolean
  /** Returns all staged changes, from any process. If the store is damaged, every use throws `io`. */
  staging(): Staging
  /** Stores it although nothing is staged yet. */
  begin(): void
  /** Adds a call's staged changes. Throws `conflict` if another call staged a change at the same path. */
  add(layer: Staging): void
  /** Discards all staged changes. */
  forget(): void
  /** The current staged state, for `end`. */
  snapshot(): Snapshot
  /** Discards landed changes. Returns false if more was staged in the meantime, which stays. */
  end(landed: Snapshot): boolean
}

interface Snapshot {
  /** Changes with every staged change. */
  readonly version: string
  readonly entries: readonly (readonly [string, Staged])[]
}

/** The transaction of a session, if any. */
export interface Transactions {
  current(): Transaction | undefined
  /** Starts one (`begun`) or continues one of that id. The session stays in it until its end. */
  enter(id: string, options?: { readonly begun?: boolean }): Transaction
}

/** Returns the first of these names that no transaction of the workspace has, including open ones left behind. */
export function freeTransactionId(directory: string, newId: () => string): string {
  for (;;) {
    const id = newId()
    if (stampOf(join(directory, id)) === '') return id
  }
}

interface OpenTransaction {
  readonly id: string
  /** Time of the last staging. */
  readonly at: number
  /** The staged paths; undefined if the store is damaged. */
  readonly paths: readonly string[] | undefined
}

/** Returns the transactions that were neither committed nor rolled back, newest first. */
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
    const entries = loadStaging(place)?.entries()
    return entries && withoutRepositoryFiles(entries.map(([path]) => path))
  } catch {
    // Entering it reports the damage.
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
  /** Version of the manifest that `staging` was read from or written to. */
  let stamp = ''

  /** Another process may have staged changes, or ended it, since the last look. */
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
        for (const [path, ownEntry] of layer.own()) {
          const there = stateIn(now.get(path))
          if (there !== stateIn(layer.below?.get(path)) && there !== stateIn(ownEntry)) throw overtaken(id, path)
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
        const landedEntries = new Map(entries)
        const rest = fresh()
          .entries()
          .filter(([path, staged]) => stateIn(staged) !== stateIn(landedEntries.get(path)))
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
    const verbs = { isEmpty: fail, get: fail, set: fail, own: fail, entries: fail, rewritten: fail, mergeDown: fail }
    return { below: undefined, ...verbs, clear: fail, toOperations: fail }
  }
}

/** Empty without a manifest. Every new manifest is a new file. */
function stampOf(place: string): string {
  const stats = statSync(join(place, MANIFEST), { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino}:${stats.size}:${stats.mtimeNs}` : ''
}

/** Returns the staged state of a path as comparable text. */
function stateIn(staged: Staged | undefined): string {
  if (staged === undefined) return ''
  const { type, ...state } = staged.state
  const part = (name: string): unknown => Reflect.get(state, name)
  return JSON.stringify([type, part('hash'), part('mode'), part('source'), part('target')])
}

const overtaken = (id: string, path: string): ToolError =>
  new ToolError('conflict', `Another call changed ${show(path)} in transaction '${id}' at the same time`, {
    hint: 'Read it again and repeat the change',
  })
