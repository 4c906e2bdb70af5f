import type { DatabaseSync } from 'node:sqlite'
import { writeCache } from '../../machine/state/cache-database.ts'
import { splitNames } from './query-words.ts'
import type { DocumentedPackage, PackageParts, Position, Section, UnfinishedPackage } from './section-types.ts'

/** No package has this stamp, so one that has it is read on. */
const UNFINISHED = ''

/** Returns the functions of a store that write a package in several parts, so that none of them is lost. */
export function partsIn(database: DatabaseSync): PackageParts {
  const idOf = (key: string): number | undefined => {
    const id = database.prepare('SELECT id FROM packages WHERE key = ?').get(key)?.['id']
    return id === undefined ? undefined : Number(id)
  }
  const end = ({ key, stamp }: DocumentedPackage, id: number): void => {
    database.prepare('UPDATE packages SET stamp = ? WHERE id = ?').run(stamp, id)
    database.prepare('DELETE FROM unfinished WHERE key = ?').run(key)
  }
  const unfinishedPackages = (): readonly UnfinishedPackage[] =>
    database
      .prepare('SELECT key, name, stamp, files, file, section, size, tries FROM unfinished')
      .all()
      .map(row => ({
        key: String(row['key']),
        name: String(row['name']),
        stamp: String(row['stamp']),
        files: row['files'] === null ? undefined : Number(row['files']),
        file: Number(row['file']),
        section: Number(row['section']),
        size: Number(row['size']),
        tries: Number(row['tries']),
      }))
  return {
    unfinished: unfinishedPackages,
    begin: ({ key, name, stamp }) =>
      void writeCache(database, () => {
        database.prepare('DELETE FROM unfinished WHERE key = ? AND stamp <> ?').run(key, stamp)
        database
          .prepare(
            `INSERT INTO unfinished (key, name, stamp, file, section, size, tries) VALUES (?, ?, ?, 0, 0, 0, 1)
            ON CONFLICT (key) DO UPDATE SET tries = tries + 1`,
          )
          .run(key, name, stamp)
      }),
    append(of, { files, from, sections, to }) {
      let isThere = false
      const isWritten = writeCache(database, () => {
        const at = unfinishedPackages().find(({ key, stamp }) => key === of.key && stamp === of.stamp)
        if (!at || (!isStart(from) && at.files !== files) || !isSame(at, from)) return
        if (isStart(from)) removePackage(database, of.key)
        const id = (isStart(from) ? undefined : idOf(of.key)) ?? insertPackage(database, { ...of, stamp: UNFINISHED })
        insertSections(database, id, of, sections)
        if (to)
          database
            .prepare(
              'INSERT OR REPLACE INTO unfinished (key, name, stamp, files, file, section, size) VALUES (?, ?, ?, ?, ?, ?, ?)',
            )
            .run(of.key, of.name, of.stamp, files, to.file, to.section, to.size)
        else end(of, id)
        isThere = true
      })
      return isWritten && isThere
    },
    finish: of => void writeCache(database, () => end(of, idOf(of.key) ?? insertPackage(database, of))),
    has: (key, { heading, body }) =>
      database
        .prepare('SELECT 1 FROM sections WHERE package = ? AND heading = ? AND body = ?')
        .get(idOf(key) ?? -1, heading, body) !== undefined,
  }
}

const isStart = ({ file, section }: Position): boolean => file === 0 && section === 0
const isSame = (one: Position, other: Position): boolean => one.file === other.file && one.section === other.section

export function removePackage(database: DatabaseSync, key: string): void {
  database.prepare('DELETE FROM unfinished WHERE key = ?').run(key)
  const id = database.prepare('SELECT id FROM packages WHERE key = ?').get(key)?.['id']
  if (id === undefined) return
  database.prepare('DELETE FROM texts WHERE rowid IN (SELECT id FROM sections WHERE package = ?)').run(id)
  database.prepare('DELETE FROM sections WHERE package = ?').run(id)
  database.prepare('DELETE FROM packages WHERE id = ?').run(id)
}

export function insertPackage(database: DatabaseSync, of: DocumentedPackage): number {
  const { lastInsertRowid } = database
    .prepare('INSERT INTO packages (key, name, version, stamp, direct) VALUES (?, ?, ?, ?, ?)')
    .run(of.key, of.name, of.version, of.stamp, of.direct ? 1 : 0)
  return Number(lastInsertRowid)
}

export function insertSections(
  database: DatabaseSync,
  id: number,
  { name }: DocumentedPackage,
  sections: readonly Section[],
): void {
  const section = database.prepare(
    'INSERT INTO sections (package, path, line, heading, kind, body) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const text = database.prepare('INSERT INTO texts (rowid, package, heading, body) VALUES (?, ?, ?, ?)')
  for (const { path, line, heading, kind, body } of sections) {
    const { lastInsertRowid: row } = section.run(id, path, line, heading, kind, body)
    text.run(row, name, `${heading} ${splitNames(heading)}`, `${body} ${splitNames(body)}`)
  }
}
