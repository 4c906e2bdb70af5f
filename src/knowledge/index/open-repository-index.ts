import { randomUUID } from 'node:crypto'
import { FilledTable, TURN_MS } from './filled-table.ts'
import type { IndexSettings } from './index-settings.ts'
import type { OpenRepositoryIndex } from './repository-index.ts'
import {
  visibleStatistics,
  page,
  visibleEntry,
  visibleLeads,
  spelledOut,
  damagedFiles,
  unparsedFiles,
  type Visibility,
} from './table/answer.ts'
import { unpackFacts } from './table/pack-facts.ts'
import { symbolsAround } from './table/symbols-around.ts'
import { visibleSymbols } from './table/visible-symbols.ts'
import { visibleHash } from './table/visible-hash.ts'

/** Opens the index over the files of a tree. The caller closes the tree. */
export function openRepositoryIndex(settings: IndexSettings): OpenRepositoryIndex {
  const { tree } = settings
  const filledTable = new FilledTable(settings)
  const { table, changes, pending } = filledTable
  const mine = randomUUID()
  const summary = (sight?: Visibility) => ({
    repoHash: visibleHash(table, sight),
    unparsed: unparsedFiles(table, sight),
  })

  return {
    async query({ query, limit, skip = 0, sight: given, waitMs }) {
      const current = await filledTable.caughtUp(waitMs)
      await filledTable.followed()
      const sight = spelledOut(table, given)
      return { ...page(table, query, { limit, skip, sight }), ...summary(sight), current }
    },
    async symbols({ query, limit, sight: given, waitMs }) {
      const current = await filledTable.caughtUp(waitMs)
      await filledTable.followed()
      const sight = spelledOut(table, given)
      return {
        symbols: visibleSymbols(table, query, { limit, sight }),
        unparsed: unparsedFiles(table, sight),
        damaged: damagedFiles(table, query, sight),
        current,
      }
    },
    async facts({ path, sight }) {
      await filledTable.caughtUpWith(path)
      await filledTable.followed()
      const entry = visibleEntry(table, path, spelledOut(table, sight))
      return entry && unpackFacts(entry)
    },
    async glance({ path, sight: given }) {
      const { state } = await tree.settle()
      if (state !== 'current' || !filledTable.isLoaded() || !table.followFor(TURN_MS)) return undefined
      const sight = spelledOut(table, given)
      const entry = visibleEntry(table, path, sight)
      const leads = visibleLeads(table, path, sight?.leaveOut)
      const missing = filledTable.missingFor(leads)
      if (missing.length > 0) pending.hurry(missing)
      const isKnown = entry?.facts !== undefined && missing.length === 0
      return isKnown ? { facts: { exports: entry.exports }, through: [...leads.files, ...leads.settings] } : undefined
    },
    async around({ places, isSettled = false }) {
      const isCurrent = isSettled || (await tree.settle()).state === 'current'
      if (!isCurrent || !filledTable.isLoaded()) return places.map(() => undefined)
      const missing = [...new Set(places.map(({ path }) => path))].filter(path => pending.has(path))
      if (missing.length > 0) pending.hurry(missing)
      return symbolsAround(places, path => (pending.has(path) ? undefined : table.get(path)?.facts?.symbols))
    },
    async status({ sight: given }) {
      const { state } = await tree.settle()
      await filledTable.followed()
      const sight = spelledOut(table, given)
      return {
        ...visibleStatistics(table, sight),
        ...summary(sight),
        generatedAt: changes.newest(sight?.leaveOut),
        state: !filledTable.isLoaded() ? 'building' : pending.size() > 0 || state === 'behind' ? 'behind' : 'current',
        pending: pending.size(),
      }
    },
    async paths({ known, waitMs }) {
      await filledTable.caughtUp(waitMs)
      const version = `${mine}:${filledTable.pathsVersion()}`
      if (known === version) return { version }
      const deletedPaths = [...changes.paths()].filter(path => !table.has(path))
      return { version, paths: [...table.all().map(({ path }) => path), ...deletedPaths] }
    },
    close: () => filledTable.close(),
  }
}
