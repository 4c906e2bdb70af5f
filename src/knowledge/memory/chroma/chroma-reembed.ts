import { ignoreMissing } from '../failure.ts'
import type { Fix } from '../fix.ts'
import type { Embedder } from '../types.ts'
import type { ChromaApi, Collection } from './chroma-api.ts'
import { EMBEDDER, isOfAnother, recordsIn } from './chroma-search.ts'
import { embeddedRecords, fixOf, isWhole, partIds } from './fix-records.ts'

/** Opens a collection of the configured database by its name. */
export type ApiOf = (collection: string) => ChromaApi

interface ReembedParts {
  readonly apiOf: ApiOf
  /** The configured collection. */
  readonly name: string
  readonly embedder: Embedder
}

/** Marks a collection that holds all of the one that it replaces. */
const COMPLETE = 'toolwright:complete'
const AT_ONCE = 16

const nextOf = (name: string): string => `${name}.next`
const formerOf = (name: string): string => `${name}.former`

/**
 * Copies a collection whose vectors another embedder made into one with vectors of this embedder, which then takes its
 * name. Until then the old one answers those who are configured for it; what they write meanwhile is copied too.
 */
export async function reembedCollection({ apiOf, name, embedder }: ReembedParts, signal: AbortSignal): Promise<void> {
  const own = apiOf(name)
  const old = await own.collection(signal).catch(ignoreMissing)
  if (!old || !isOfAnother(old, embedder)) return
  const [next, former] = [apiOf(nextOf(name)), apiOf(formerOf(name))]
  const described = { [EMBEDDER]: embedder.name }
  let fresh = await next.made(described, signal)
  if (isOfAnother(fresh, embedder)) {
    await next.drop(signal)
    fresh = await next.made(described, signal)
  }
  let changes: number
  do changes = await copyChanges(next, { old: old.id, fresh: fresh.id }, embedder, signal)
  while (changes > 0)
  await next.rename(fresh.id, nextOf(name), { ...described, [COMPLETE]: true }, signal)
  await former.drop(signal)
  await own.rename(old.id, formerOf(name), old.metadata, signal)
  // Nobody finds the old one any more: what was written to it last is taken along.
  await copyChanges(next, { old: old.id, fresh: fresh.id }, embedder, signal)
  await next.rename(fresh.id, name, described, signal)
  await former.drop(signal)
}

/** Returns the configured collection. Ends a replacement that was interrupted after the old one had lost the name. */
export async function configuredCollection(apiOf: ApiOf, name: string, signal: AbortSignal): Promise<Collection> {
  const own = apiOf(name)
  const found = await own.collection(signal).catch(ignoreMissing)
  if (found) return found
  const next = await apiOf(nextOf(name)).collection(signal).catch(ignoreMissing)
  if (next?.metadata[COMPLETE] === true) {
    const { [COMPLETE]: _, ...metadata } = next.metadata
    await own.rename(next.id, name, metadata, signal)
  }
  return own.collection(signal)
}

/** Brings one collection up to date with another. Returns how many fixes were written or removed. */
async function copyChanges(
  api: ChromaApi,
  { old, fresh }: { readonly old: string; readonly fresh: string },
  embedder: Embedder,
  signal: AbortSignal,
): Promise<number> {
  const [wanted, copied] = [await fixesIn(api, old, signal), await fixesIn(api, fresh, signal)]
  const changed = [...wanted.values()].filter(fix => JSON.stringify(fix) !== JSON.stringify(copied.get(fix.id)))
  for (let at = 0; at < changed.length; at += AT_ONCE) {
    const fixes = changed.slice(at, at + AT_ONCE)
    const records = await embeddedRecords(embedder, fixes, { isNew: true }, signal)
    await api.remove(
      fresh,
      fixes.flatMap(({ id }) => partIds(id)),
      signal,
    )
    await api.write('add', fresh, records, signal)
  }
  const gone = [...copied.keys()].filter(id => !wanted.has(id))
  if (gone.length > 0) await api.remove(fresh, gone.flatMap(partIds), signal)
  return changed.length + gone.length
}

async function fixesIn(api: ChromaApi, id: string, signal: AbortSignal): Promise<ReadonlyMap<string, Fix>> {
  const fixes = new Map<string, Fix>()
  for await (const record of recordsIn(api, id, {}, signal, { isBare: true }))
    if (isWhole(record)) fixes.set(record.id, fixOf(record, undefined))
  return fixes
}
