import type { DatabaseSync } from 'node:sqlite'
import type { Embedder } from '../types.ts'
import { transact } from './open-database.ts'

/** How long a process that re-embeds may be silent before another takes over. */
export const LEASE_MS = 15_000

/** The vectors of one embedder. */
export interface Space {
  readonly space: number
  readonly embedder: string
  readonly dimension: number
  /** Where the embedder's model was on this machine; empty for an embedder elsewhere. */
  readonly directory: string
  /** Its vectors answer; all others are being made. */
  readonly isActive: boolean
}

export interface Spaces {
  active(): Space | undefined
  /** Returns the space of an embedder; undefined if it has none yet. */
  of(embedder: Embedder): Space | undefined
  /** Returns the space of an embedder, created if missing: the first one is active. Needs a transaction. */
  ensure(embedder: Embedder, dimension: number): Space
  /** Returns rows that have no vectors in a space. */
  missing(space: number, limit: number): readonly number[]
  countMissing(space: number): number
  /** Takes over the work on a space for a while; false if another process does it. */
  lease(space: number, worker: string, now: number): boolean
  /** Makes a space the one that answers, and drops all others; false if a fix has no vectors there. */
  swap(space: number): boolean
}

export function openSpaces(database: DatabaseSync): Spaces {
  const all = database.prepare('SELECT space, embedder, dimension, directory, active FROM spaces')
  const without = 'FROM fixes WHERE NOT EXISTS (SELECT 1 FROM vectors WHERE vectors.row = fixes.row AND space = ?)'
  const statements = {
    missing: database.prepare(`SELECT row ${without} ORDER BY row LIMIT ?`),
    count: database.prepare(`SELECT count(*) AS count ${without}`),
    insert: database.prepare(
      `INSERT INTO spaces (embedder, dimension, directory, active, worker, until)
        VALUES (?, ?, ?, NOT EXISTS (SELECT 1 FROM spaces WHERE active = 1), '', 0)`,
    ),
    lease: database.prepare(
      'UPDATE spaces SET worker = ?1, until = ?2 WHERE space = ?3 AND (worker = ?1 OR until < ?4)',
    ),
    activate: database.prepare('UPDATE spaces SET active = (space = ?)'),
    dropVectors: database.prepare('DELETE FROM vectors WHERE space <> ?'),
    dropSpaces: database.prepare('DELETE FROM spaces WHERE space <> ?'),
  }
  const list = (): readonly Space[] =>
    all.all().map(({ space, embedder, dimension, directory, active }) => ({
      space: Number(space),
      embedder: String(embedder),
      dimension: Number(dimension),
      directory: String(directory),
      isActive: active === 1,
    }))
  const spaces: Spaces = {
    active: () => list().find(({ isActive }) => isActive),
    of: ({ name, dimension }) =>
      list().findLast(each => each.embedder === name && (dimension === undefined || each.dimension === dimension)),
    ensure({ name, directory = '' }, dimension) {
      const find = () => list().find(each => each.embedder === name && each.dimension === dimension)
      const existingSpace = find()
      if (existingSpace) return existingSpace
      statements.insert.run(name, dimension, directory)
      const newSpace = find()
      if (!newSpace) throw new Error(`no space was made for ${name}`)
      return newSpace
    },
    missing: (space, limit) => statements.missing.all(space, limit).map(({ row }) => Number(row)),
    countMissing: space => Number(statements.count.get(space)?.['count']),
    lease: (space, worker, now) => Number(statements.lease.run(worker, now + LEASE_MS, space, now).changes) === 1,
    swap: space =>
      transact(database, () => {
        if (spaces.countMissing(space) > 0) return false
        statements.activate.run(space)
        statements.dropVectors.run(space)
        statements.dropSpaces.run(space)
        return true
      }),
  }
  return spaces
}
