import type { Fix } from '../fix.ts'
import type { FixFilter } from '../types.ts'
import type { ChromaApi, ChromaRecord, RecordParts, Selection } from './chroma-api.ts'
import { fixOf, needsText, passes, whereOf, type FieldNames } from './fix-records.ts'

const PAGE = 500

/** What selects the records that hold all of a fix that passes a filter. */
export type Passing = Pick<Selection, 'ids' | 'where'>

/**
 * Returns what selects the records that hold all of a fix that passes: a condition, or the ids in a collection made
 * elsewhere. Chroma's conditions know neither missing fields, which have defaults, nor other cases of letters.
 */
export async function selectionOf(
  api: ChromaApi,
  id: string,
  filter: FixFilter = {},
  names: FieldNames | undefined,
  signal: AbortSignal,
): Promise<Passing> {
  if (!names) return { where: whereOf(filter, true) }
  if (Object.values(filter).every(value => value === undefined)) return {}
  const ids: string[] = []
  for await (const fix of passingFixes(api, id, filter, names, signal)) ids.push(fix.id)
  return { ids }
}

/** Yields the fixes that pass, without what only the text of their record tells. */
export async function* passingFixes(
  api: ChromaApi,
  id: string,
  filter: FixFilter = {},
  names: FieldNames | undefined,
  signal: AbortSignal,
): AsyncGenerator<Fix> {
  const selection = names ? {} : { where: whereOf(filter, true) }
  for await (const record of recordsIn(api, id, selection, signal, needsText(names) ? 'text' : 'metadata')) {
    const fix = fixOf(record, names)
    if (!names || passes(fix, filter)) yield fix
  }
}

/** Yields the records of a selection. What is written meanwhile moves none of them to another page. */
export async function* recordsIn(
  api: ChromaApi,
  id: string,
  selection: Pick<Selection, 'ids' | 'where' | 'where_document'>,
  signal: AbortSignal,
  parts?: RecordParts,
): AsyncGenerator<ChromaRecord> {
  const { ids: selectedIds, where_document: text } = selection
  const ids = selectedIds && !text ? selectedIds : await api.ids(id, selection, signal)
  for (let at = 0; at < ids.length; at += PAGE)
    yield* await api.get(id, { ids: ids.slice(at, at + PAGE) }, signal, parts)
}
