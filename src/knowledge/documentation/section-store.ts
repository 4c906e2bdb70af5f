import type { DatabaseSync } from 'node:sqlite'
import { attempt, openCacheDatabase, writeCache } from '../../machine/state/cache-database.ts'
import { insertPackage, insertSections, partsIn, removePackage } from './section-parts.ts'
import type { DocumentedPackage, PackageParts, Section, SectionKind } from './section-types.ts'
import { coverage, queryWords } from './query-words.ts'

export interface FoundSection extends Section {
  readonly package: string
  readonly version: string
}

interface SectionQuery {
  readonly query: string
  readonly package?: string | undefined
  readonly limit: number
  readonly wants: (path: string) => boolean
}

/** Sections of documentation in one SQLite file, which several processes may use. */
export interface SectionStore extends PackageParts {
  packages(): ReadonlyMap<string, string>
  replace(of: DocumentedPackage, sections: readonly Section[]): void
  remove(keys: readonly string[]): void
  /** The names of all packages. */
  names(): readonly string[]
  /** What the last complete look at the packages saw. */
  fingerprint(): string | undefined
  noteFingerprint(fingerprint: string): void
  /** What the last listing of the packages found, if it had this fingerprint. */
  listing(fingerprint: string): unknown
  noteListing(fingerprint: string, packages: unknown): void
  search(query: SectionQuery): readonly FoundSection[]
  close(): void
}

const TABLES = `
  CREATE TABLE IF NOT EXISTS packages (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, version TEXT NOT NULL, stamp TEXT NOT NULL,
    direct INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS sections (
    id INTEGER PRIMARY KEY, package INTEGER NOT NULL, path TEXT NOT NULL, line INTEGER NOT NULL, heading TEXT NOT NULL,
    kind TEXT NOT NULL, body TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS sections_heading ON sections (package, heading);
  CREATE TABLE IF NOT EXISTS unfinished (
    key TEXT PRIMARY KEY, name TEXT NOT NULL, stamp TEXT NOT NULL, files INTEGER, file INTEGER NOT NULL,
    section INTEGER NOT NULL, size INTEGER NOT NULL, tries INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
  CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5 (
    package, heading, body, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  )`

/** Opens a store; undefined if its file cannot be made. A damaged one is made again. */
export const openSectionStore = (file: string): SectionStore | undefined =>
  openCacheDatabase(file, { version: 1, tables: TABLES, timeoutMs: 5_000 }, storeIn)

function storeIn(database: DatabaseSync): SectionStore {
  const fact = (name: string): string | undefined => {
    const row = database.prepare('SELECT value FROM facts WHERE name = ?').get(name)
    return row && String(row['value'])
  }
  const note = (name: string, value: string): void =>
    void writeCache(database, () => {
      database.prepare('INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)').run(name, value)
    })
  return {
    packages() {
      const rows = database.prepare('SELECT key, stamp FROM packages').all()
      return new Map(rows.map(row => [String(row['key']), String(row['stamp'])]))
    },
    replace: (of, sections) =>
      void writeCache(database, () => {
        removePackage(database, of.key)
        insertSections(database, insertPackage(database, of), of, sections)
      }),
    remove: keys => void writeCache(database, () => keys.forEach(key => removePackage(database, key))),
    ...partsIn(database),
    names: () =>
      database
        .prepare('SELECT DISTINCT name FROM packages')
        .all()
        .map(row => String(row['name'])),
    fingerprint: () => fact('fingerprint'),
    noteFingerprint: value => note('fingerprint', value),
    listing(fingerprint) {
      const listing = attempt(() => Object(JSON.parse(fact('listing') ?? 'null')))
      return listing?.fingerprint === fingerprint ? listing.packages : undefined
    },
    noteListing: (fingerprint, packages) => note('listing', JSON.stringify({ fingerprint, packages })),
    search: query => searchIn(database, query),
    close: () => void attempt(() => database.close()),
  }
}

const CANDIDATES = 300
/** A word in the name of the package or in a heading says more than one in the text. */
const RANKED = `
  SELECT s.path, s.line, s.heading, s.kind, s.body, p.name, p.version, p.direct, bm25(texts, 3.0, 5.0, 1.0) AS rank
  FROM texts JOIN sections s ON s.id = texts.rowid JOIN packages p ON p.id = s.package
  WHERE texts MATCH ? AND (? IS NULL OR p.name = ?) ORDER BY rank LIMIT ${CANDIDATES}`

const WEIGHTS: Readonly<Record<string, number>> = { readme: 1, docs: 1, page: 1, comment: 0.9, changelog: 0.5 }

function searchIn(
  database: DatabaseSync,
  { query, package: only, limit, wants }: SectionQuery,
): readonly FoundSection[] {
  const words = queryWords(query)
  if (words.length === 0) return []
  const match = words.map(word => `"${word}"`).join(' OR ')
  const rows = database.prepare(RANKED).all(match, only ?? null, only ?? null)
  const paddedQuery = ` ${query.toLowerCase()} `
  return rows
    .map(row => {
      const [name, heading, body] = [String(row['name']), String(row['heading']), String(row['body'])]
      // The name of the package is not the subject, unless it is all that is asked.
      const share = coverage(words, `${name} ${heading} ${body}`)
      const score =
        -Number(row['rank']) *
        (0.3 + 0.7 * share * share) *
        (0.7 + 0.3 * coverage(words, heading)) *
        (WEIGHTS[String(row['kind'])] ?? 1) *
        (names(paddedQuery, name) ? 2.5 : 1) *
        (row['direct'] ? 1.15 : 1)
      return { row, score, found: { name, heading, body } }
    })
    .filter(({ row }) => wants(String(row['path'])))
    .toSorted((one, other) => other.score - one.score || depthOf(one.row) - depthOf(other.row))
    .slice(0, limit)
    .map(({ row, found: { name, heading, body } }) => ({
      path: String(row['path']),
      line: Number(row['line']),
      heading,
      kind: row['kind'] as SectionKind,
      body,
      package: name,
      version: String(row['version']),
    }))
}

/** Orders versions of a package that say the same: that of the workspace itself before those deeper in it. */
const depthOf = (row: Readonly<Record<string, unknown>>): number => String(row['path']).split('/').length

/** Reports whether a question names a package: by its whole name, or by the last part of it. */
function names(asked: string, name: string): boolean {
  const lower = name.toLowerCase()
  return [lower, lower.slice(lower.lastIndexOf('/') + 1)].some(
    each => each.length > 1 && new RegExp(`[^\\w-]${each.replace(/[^\w]/g, '\\$&')}[^\\w-]`).test(asked),
  )
}
