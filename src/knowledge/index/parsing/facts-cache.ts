import type { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { attempt, openCacheDatabase, writeCache } from '../../../machine/state/cache-database.ts'
import { countDatabase } from '../../../machine/upkeep/growth.ts'
import { factsKey } from '../../model/facts/facts-key.ts'
import { isSettings } from '../../../languages/javascript/modules/module-settings.ts'
import type { FileRecord } from '../table/entry.ts'
import type { Parsed } from './messages.ts'

/** Cache of facts by content. A damaged or old file is replaced. */
interface FactsCache {
  /** Returns all files with their stored stamps. */
  files(): IterableIterator<Parsed>
  /** Returns the facts of this content in a file with this name. */
  said(content: string, path: string): FileRecord | undefined
  keep(files: readonly Kept[]): void
  /** Removes other paths, and contents that no path has. */
  prune(paths: readonly string[]): void
  close(): void
}

interface Kept {
  readonly file: Parsed
  /** The cache gave its facts, and need not store them again. */
  readonly isStored: boolean
}

/** Increase when parsing returns something else for the same file. */
const VERSION = 19

/** Keys of facts are hashes: with row numbers, only an index of them is written all over, not the facts. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS facts (key TEXT PRIMARY KEY, data TEXT NOT NULL, sum INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, content TEXT NOT NULL, key TEXT NOT NULL, sum INTEGER NOT NULL) WITHOUT ROWID`

export const openFactsCache = (file: string): FactsCache | undefined =>
  openCacheDatabase(file, { version: VERSION, tables: TABLES, timeoutMs: 10_000 }, database =>
    cacheOver(database, countDatabase(file)),
  )

function cacheOver(database: DatabaseSync, count: () => void): FactsCache {
  const allFiles = database.prepare(
    'SELECT path, stamp, content, files.sum AS fileSum, facts.key AS key, data, facts.sum AS sum FROM files JOIN facts ON files.key = facts.key ORDER BY path',
  )
  const oneFact = database.prepare('SELECT data, sum FROM facts WHERE key = ?')
  const putFact = database.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?, ?)')
  const putFile = database.prepare('INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?)')
  /** Skips lookups in an empty cache: a first build asks for every file. */
  let isEmpty = database.prepare('SELECT 1 FROM facts LIMIT 1').get() === undefined
  return {
    *files() {
      for (const row of allFiles.iterate()) {
        const [path, stamp, content, key] = [row['path'], row['stamp'], row['content'], row['key']].map(String)
        if (path === undefined || stamp === undefined || content === undefined || key === undefined) continue
        if (row['fileSum'] !== sumOf(path, stamp, content, key)) continue
        const record = saidIn(key, row['data'], row['sum'])
        if (record) yield { path, stamp, content, ...record }
      }
    },
    said(content, path) {
      if (isEmpty) return undefined
      const key = keyOf(content, path)
      const row = attempt(() => oneFact.get(key))
      return row && saidIn(key, row['data'], row['sum'])
    },
    keep(files) {
      isEmpty = false
      writeCache(database, () => {
        for (const { file, isStored } of files) {
          const { path, stamp, content, facts, settings, unparsed } = file
          if (content === undefined) continue
          const key = keyOf(content, path)
          const data = isStored ? undefined : JSON.stringify({ facts, settings, unparsed })
          if (data !== undefined) putFact.run(key, data, sumOf(key, data))
          putFile.run(path, stamp, content, key, sumOf(path, stamp, content, key))
        }
      })
      count()
    },
    prune(paths) {
      const treePaths = new Set(paths)
      writeCache(database, () => {
        const drop = database.prepare('DELETE FROM files WHERE path = ?')
        for (const row of database.prepare('SELECT path FROM files').all())
          if (!treePaths.has(String(row['path']))) drop.run(row['path'] ?? null)
        const [storedCount, usedCount] = ['facts', 'files'].map(table =>
          Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']),
        )
        // Contents of the previous branch are worth keeping, those of past years are not.
        if ((storedCount ?? 0) > 2 * (usedCount ?? 0) + 1000)
          database.exec('DELETE FROM facts WHERE key NOT IN (SELECT key FROM files)')
      })
    },
    close: () => database.close(),
  }
}

/** Returns the key of a content: with all that its name says about how it is read. */
function keyOf(content: string, path: string): string {
  const settings = path.endsWith('package.json') ? 'package.json' : 'tsconfig.json'
  return `${content}.${isSettings(path) ? settings : factsKey(path)}`
}

const saidIn = (key: string, data: unknown, sum: unknown): FileRecord | undefined =>
  typeof data === 'string' && sum === sumOf(key, data) ? JSON.parse(data) : undefined

const sumOf = (...parts: readonly string[]): number => crc32(parts.join('\0'))
