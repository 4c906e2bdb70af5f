import { createHash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import { ignoreMissing, memoryError } from '../failure.ts'
import type { Embedder, OnProgress } from '../types.ts'
import type { ChromaApi, Collection } from './chroma-api.ts'
import { EMBEDDER, isOfAnother } from './chroma-search.ts'
import { embeddedRecords, fixOf, isWhole, partIds, staleIds } from './fix-records.ts'
import { recordsIn } from './select-records.ts'

/** Opens a collection of the configured database by its name. */
export type ApiOf = (collection: string) => ChromaApi

interface ReembedParts {
  readonly apiOf: ApiOf
  /** The configured collection. */
  readonly name: string
  readonly embedder: Embedder
  readonly onProgress?: OnProgress | undefined
}

/** The collection that is copied, and the one that takes its name. */
interface Replacement {
  readonly old: Collection
  readonly fresh: Collection
}

/** Marks a collection of ours, and names the id of the one that it replaces. */
const REPLACES = 'toolwright:replaces'
const AT_ONCE = 16
const MOST_PASSES = 50

const nextOf = (name: string): string => `${name}.toolwright-next`
const formerOf = (name: string): string => `${name}.toolwright-former`

/**
 * Copies a collection whose vectors another embedder made into one with vectors of this embedder, which then takes its
 * name. The old one answers until all is copied; then it gives up its name, what was written to it last is copied, and
 * the new one gets the name. Run again after an interruption, it goes on. Only collections that carry our mark are
 * written, renamed or dropped.
 */
export async function reembedCollection(parts: ReembedParts, signal: AbortSignal): Promise<void> {
  const { apiOf, name, embedder } = parts
  const own = await find(apiOf(name), signal)
  if (!own) return resume(parts, signal)
  const former = await leftFormer(apiOf, own, name, signal)
  if (former) {
    const next = await find(apiOf(nextOf(name)), signal)
    if (next?.metadata[REPLACES] === former.id) throw madeMeanwhile(name)
  }
  if (!isOfAnother(own, embedder)) return
  if (former) throw inTheWay(formerOf(name))
  const replacement = { old: own, fresh: await begun(parts, own, signal) }
  await copyAll(parts, replacement, { deletes: true }, signal)
  await apiOf(name).rename(own.id, formerOf(name), own.metadata, signal)
  await finish(parts, replacement, signal)
}

/**
 * Returns the configured collection. Refuses while it is being replaced: a collection made in its place would keep the
 * name from the one that holds the fixes.
 */
export async function configuredCollection(apiOf: ApiOf, name: string, signal: AbortSignal): Promise<Collection> {
  const found = await find(apiOf(name), signal)
  if (found) return found
  const next = await find(apiOf(nextOf(name)), signal)
  // A replacement may have ended between the two questions.
  if (!next || !isMarked(next)) return apiOf(name).collection(signal)
  const again = await find(apiOf(name), signal)
  if (again) return again
  throw memoryError(
    'store_unreachable',
    `Collection '${name}' is being re-embedded`,
    'Try again. If that was interrupted, run toolwright fixes doctor --repair, which resumes it',
  )
}

const find = (api: ChromaApi, signal: AbortSignal): Promise<Collection | undefined> =>
  api.collection(signal).catch(ignoreMissing)

const isMarked = ({ metadata }: Collection): boolean => typeof metadata[REPLACES] === 'string'

const describe = ({ name }: Embedder, old: Collection) => ({ [EMBEDDER]: name, [REPLACES]: old.id })

/** Drops what an ended replacement left behind. Returns any other collection that has the name which the old one gets. */
async function leftFormer(
  apiOf: ApiOf,
  own: Collection,
  name: string,
  signal: AbortSignal,
): Promise<Collection | undefined> {
  const former = await find(apiOf(formerOf(name)), signal)
  if (!former || former.id !== own.metadata[REPLACES]) return former
  await apiOf(formerOf(name)).drop(former.id, signal)
  return undefined
}

/** Goes on where the old collection had given up its name. All that was acknowledged is in it. */
async function resume(parts: ReembedParts, signal: AbortSignal): Promise<void> {
  const { apiOf, name, embedder } = parts
  const fresh = await find(apiOf(nextOf(name)), signal)
  if (!fresh || !isMarked(fresh)) return
  const old = await find(apiOf(formerOf(name)), signal)
  if (!old || old.id !== fresh.metadata[REPLACES]) {
    if (await find(apiOf(name), signal)) return
    throw new ToolError('conflict', `The collection that '${nextOf(name)}' replaces is gone`, {
      hint: `Rename '${nextOf(name)}' to '${name}' to keep what was copied, or delete it`,
    })
  }
  if (!isOfAnother(fresh, embedder)) return finish(parts, { old, fresh }, signal)
  // It was begun for an embedder that is configured no more.
  await apiOf(name).rename(old.id, name, old.metadata, signal)
  await reembedCollection(parts, signal)
}

/** Returns the collection that will replace the old one: one that was begun before, or a new one. */
async function begun({ apiOf, name, embedder }: ReembedParts, old: Collection, signal: AbortSignal) {
  const next = apiOf(nextOf(name))
  const found = await find(next, signal)
  if (found && found.metadata[REPLACES] !== old.id) throw inTheWay(nextOf(name))
  if (found && !isOfAnother(found, embedder)) return found
  if (found) await next.drop(found.id, signal)
  const fresh = await next.made(describe(embedder, old), signal)
  if (fresh.metadata[REPLACES] !== old.id || isOfAnother(fresh, embedder)) throw inTheWay(nextOf(name))
  return fresh
}

const inTheWay = (taken: string): ToolError =>
  new ToolError('conflict', `The server has a collection '${taken}' that is no part of this re-embedding`, {
    hint: 'Rename or delete it, then run toolwright fixes doctor --repair again',
  })

/** Only an older version makes a collection then, or two that re-embed for different embedders at once let it happen. */
const madeMeanwhile = (name: string): ToolError =>
  new ToolError('conflict', `Collection '${name}' was made while the one before it was being re-embedded`, {
    hint: `The fixes are in '${formerOf(name)}'. Export '${name}', delete it on the server, run toolwright fixes doctor --repair, then import`,
  })

/** Gives the new collection the name, which nobody has: until then nobody else writes to it. */
async function finish(parts: ReembedParts, replacement: Replacement, signal: AbortSignal): Promise<void> {
  const { apiOf, name, embedder } = parts
  const { old, fresh } = replacement
  const copied = await copyAll(parts, replacement, { deletes: false }, signal)
  await apiOf(nextOf(name)).rename(fresh.id, name, describe(embedder, old), signal)
  // Who asked for the old one before it lost its name may have written until now. What others have changed in the new
  // one since stays, unless it is the same fix.
  const last = await digests(apiOf(name), old.id, signal)
  const late = [...last].filter(([id, digest]) => copied.get(id) !== digest).map(([id]) => id)
  await copy(apiOf(name), replacement, late, embedder, signal)
  await apiOf(formerOf(name)).drop(old.id, signal)
}

/** Copies until nothing is left to copy. Returns what the old collection held then. */
async function copyAll(
  { apiOf, name, embedder, onProgress }: ReembedParts,
  { old, fresh }: Replacement,
  { deletes }: { readonly deletes: boolean },
  signal: AbortSignal,
): Promise<Digests> {
  const next = apiOf(nextOf(name))
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const [wanted, known] = [await digests(next, old.id, signal), await digests(next, fresh.id, signal)]
    const changed = [...wanted.keys()].filter(id => known.get(id) !== wanted.get(id))
    const gone = deletes ? [...known.keys()].filter(id => !wanted.has(id)) : []
    if (changed.length + gone.length === 0) return wanted
    for (let at = 0; at < changed.length; at += AT_ONCE) {
      await ensureBegun(next, fresh, signal)
      await copy(next, { old, fresh }, changed.slice(at, at + AT_ONCE), embedder, signal)
      onProgress?.(wanted.size - Math.max(0, changed.length - at - AT_ONCE), wanted.size)
    }
    if (gone.length === 0) continue
    await ensureBegun(next, fresh, signal)
    await next.remove(fresh.id, gone.flatMap(partIds), signal)
  }
  throw new ToolError('conflict', `Collection '${name}' changes faster than it is copied`, { hint: 'Try again' })
}

/** Another process that re-embeds the same collection may have ended it: then others write to the new one. */
async function ensureBegun(next: ChromaApi, fresh: Collection, signal: AbortSignal): Promise<void> {
  if ((await find(next, signal))?.id === fresh.id) return
  throw new ToolError('conflict', 'Another process has re-embedded this collection meanwhile', {
    hint: 'Run toolwright fixes doctor to see its state',
  })
}

/** Embeds fixes of the old collection and stores them in the new one. */
async function copy(
  api: ChromaApi,
  { old, fresh }: Replacement,
  ids: readonly string[],
  embedder: Embedder,
  signal: AbortSignal,
): Promise<void> {
  if (ids.length === 0) return
  const fixes = (await api.get(old.id, { ids }, signal, 'text')).map(record => fixOf(record, undefined))
  if (fixes.length === 0) return
  await api.write('upsert', fresh.id, await embeddedRecords(embedder, fixes, { isNew: false }, signal), signal)
  const stale = fixes.flatMap(staleIds)
  if (stale.length > 0) await api.remove(fresh.id, stale, signal)
}

/** The fixes of a collection by their ids, each as short as it can be compared. */
type Digests = ReadonlyMap<string, string>

async function digests(api: ChromaApi, id: string, signal: AbortSignal): Promise<Digests> {
  const found = new Map<string, string>()
  for await (const record of recordsIn(api, id, {}, signal, 'text')) {
    if (!isWhole(record)) continue
    const text = JSON.stringify(fixOf(record, undefined))
    found.set(record.id, createHash('sha256').update(text).digest('base64'))
  }
  return found
}
