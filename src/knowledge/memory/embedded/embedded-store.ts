import { existsSync, statSync } from 'node:fs'
import { changedByOthers, nothingFound, takenId, unknownFix } from '../failure.ts'
import { changedFix, checkFix, completeFix, type Fix } from '../fix.ts'
import { redactFix } from '../redact-fix.ts'
import { embeddingTexts } from '../text/embedding-texts.ts'
import type { FixStore, StoreCheck } from '../types.ts'
import { checkStore } from './check-store.ts'
import { filesOf } from './open-database.ts'
import type { OpenFixes } from './open-fixes.ts'
import { findDuplicates, searchByMeaning, searchByWords } from './search-fixes.ts'
import { openHandle, type EmbeddedStoreOptions, type StoreHandle } from './store-handle.ts'

export interface EmbeddedStore extends FixStore {
  doctor(signal: AbortSignal): Promise<readonly StoreCheck[]>
  /** Settles when no fix is being re-embedded. */
  reembedded(): Promise<void>
}

const MOST_TRIES = 5

/** Keeps fixes in one SQLite file, which several processes may use at once. Nothing is created before the first fix. */
export function openEmbeddedStore(options: EmbeddedStoreOptions): EmbeddedStore {
  const { file, embedder } = options
  const handle = openHandle(options)
  return {
    ...writing(handle, options),
    ...searching(handle, options),
    get: async id => (existsSync(file) ? handle.use(({ tables }) => tables.get(id)?.fix) : undefined),
    list: async ({ filter, limit, skip = 0 }) =>
      handle.isEmpty()
        ? { fixes: [], total: 0 }
        : handle.read(({ tables }) => ({
            fixes: tables.list(filter, limit, skip),
            total: tables.passing(filter)?.size ?? tables.count(),
          })),
    async *each(filter) {
      const rows = handle.isEmpty() ? [] : handle.use(({ tables }) => tables.rows(filter))
      for (const row of rows) {
        const fix = handle.use(({ tables }) => tables.find(row))
        if (fix) yield fix
      }
    },
    async status() {
      const place = { kind: 'embedded' as const, place: file, bytes: sizeOf(file) }
      if (handle.isEmpty()) return { ...place, fixes: 0, embedder: undefined, reembedding: undefined }
      return handle.read(({ tables, spaces }) => {
        const [active, ownSpace, total] = [spaces.active(), spaces.of(embedder), tables.count()]
        const missing = ownSpace ? spaces.countMissing(ownSpace.space) : total
        const isDone = ownSpace?.isActive && missing === 0
        return {
          ...place,
          fixes: total,
          embedder: active && { name: active.embedder, dimension: active.dimension },
          reembedding: isDone ? undefined : { name: embedder.name, done: total - missing, total },
        }
      })
    },
    doctor: signal => checkStore(file, embedder, handle.use, signal),
    reembedded: () => handle.reembedded(),
    close: () => handle.close(),
  }
}

/** Embeds before it writes: no transaction waits for a model. */
function writing(
  { use, write }: StoreHandle,
  { file, embedder, redact }: EmbeddedStoreOptions,
): Pick<FixStore, 'add' | 'put' | 'change' | 'remove'> {
  const spaceOf = ({ spaces }: OpenFixes, vectors: readonly Float32Array[]) =>
    spaces.ensure(embedder, vectors[0]?.length ?? 0)
  const store = (fixes: OpenFixes, fix: Fix, vectors: readonly Float32Array[]): void =>
    fixes.tables.putVectors(fixes.tables.put(fix), spaceOf(fixes, vectors).space, vectors)
  return {
    async add(given, { evenIfSimilar = false }, signal) {
      const fix = redactFix(completeFix(given), redact)
      const vectors = await embedder.embed(embeddingTexts(fix), signal)
      return write(fixes => {
        if (fixes.tables.get(fix.id)) throw takenId(fix.id)
        const duplicates = evenIfSimilar ? [] : findDuplicates(fixes, spaceOf(fixes, vectors), vectors)
        if (duplicates.length > 0) return { duplicates }
        store(fixes, fix, vectors)
        return { stored: fix }
      })
    },
    async put(given, signal) {
      const all = given.map(fix => redactFix(checkFix(fix), redact))
      const texts = all.map(embeddingTexts)
      const vectors = await embedder.embed(texts.flat(), signal)
      write(fixes => {
        let at = 0
        for (const [place, fix] of all.entries())
          store(fixes, fix, vectors.slice(at, (at += texts[place]?.length ?? 0)))
      })
    },
    async change(id, change, signal) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const current = existsSync(file) ? use(({ tables }) => tables.get(id)) : undefined
        if (!current) throw unknownFix(id)
        const fix = redactFix(changedFix(current.fix, change), redact)
        const texts = embeddingTexts(fix)
        const isSameText = texts.join('\0') === embeddingTexts(current.fix).join('\0')
        const vectors = isSameText ? undefined : await embedder.embed(texts, signal)
        const isDone = write(fixes => {
          // Another process may have changed it while it was embedded.
          if (!fixes.isUnchanged(current.row, JSON.stringify(current.fix))) return false
          if (vectors) store(fixes, fix, vectors)
          else fixes.tables.change(current.row, fix)
          return true
        })
        if (isDone) return fix
      }
      throw changedByOthers(id)
    },
    async remove(id) {
      if (!existsSync(file)) throw unknownFix(id)
      return write(({ tables }) => {
        const storedFix = tables.get(id)
        if (!storedFix) throw unknownFix(id)
        tables.remove(storedFix.row)
        return storedFix.fix
      })
    },
  }
}

function searching(
  { use, read, isEmpty, queryVectors }: StoreHandle,
  { embedder, redact }: EmbeddedStoreOptions,
): Pick<FixStore, 'search' | 'searchWords' | 'nearDuplicates'> {
  return {
    async search(given, signal) {
      const query = { ...given, text: redact(given.text) }
      for (let tries = 1; ; tries++) {
        if (isEmpty()) throw nothingFound({})
        const vectors = await queryVectors(query, signal)
        const active = use(({ spaces }) => spaces.active()?.space)
        // A space that another replaced meanwhile holds no vectors any more.
        const isThere = vectors.some(({ space }) => space.space === active || !space.isActive)
        if (isThere || tries === MOST_TRIES) return read(fixes => searchByMeaning(fixes, query, vectors))
      }
    },
    async searchWords(given) {
      const query = { ...given, text: redact(given.text) }
      if (isEmpty()) throw nothingFound({})
      return read(fixes => searchByWords(fixes, query))
    },
    async nearDuplicates(given, signal) {
      if (isEmpty()) return []
      const vectors = await embedder.embed(embeddingTexts(redactFix(completeFix(given), redact)), signal)
      return read(fixes => {
        const space = fixes.spaces.of(embedder)
        return space ? findDuplicates(fixes, space, vectors) : []
      })
    },
  }
}

const sizeOf = (file: string): number =>
  filesOf(file).reduce((sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0), 0)
