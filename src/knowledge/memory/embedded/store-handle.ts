import { existsSync } from 'node:fs'
import { ToolError } from '../../../kernel/error.ts'
import { memoryError } from '../failure.ts'
import { loadModel } from '../load-model.ts'
import { queryVector } from '../query-vector.ts'
import type { Embedder, FixQuery } from '../types.ts'
import { snapshot, storeError, transact } from './open-database.ts'
import { openFixes, type OpenFixes } from './open-fixes.ts'
import { reembed } from './reembed.ts'
import type { QueryIn } from './search-fixes.ts'
import type { Space } from './spaces.ts'

/** How often a process looks for fixes that others stored without vectors of its embedder. */
const CHECK_MS = 30_000

export interface EmbeddedStoreOptions {
  readonly file: string
  readonly embedder: Embedder
  /** Removes secrets from a text. */
  readonly redact: (text: string) => string
  /** Opens the embedder whose vectors are stored, while the configured one replaces them; undefined if it cannot. */
  readonly formerEmbedder?: (space: Space) => Promise<Embedder | undefined>
}

/** The file of fixes, opened with the first use, and the embedders that answer. */
export interface StoreHandle {
  /** Runs work on the open file; its failures say what to do. */
  use<T>(work: (fixes: OpenFixes) => T): T
  /** Runs work that sees one state of the file. */
  read<T>(work: (fixes: OpenFixes) => T): T
  /** Runs work in a transaction. */
  write<T>(work: (fixes: OpenFixes) => T): T
  /** Creates no file. */
  isEmpty(): boolean
  /** Returns the vectors of a query, one for each space that answers now. */
  queryVectors(query: FixQuery, signal: AbortSignal): Promise<readonly QueryIn[]>
  /** Settles when no fix is being re-embedded. */
  reembedded(): Promise<void>
  close(): Promise<void>
}

export function openHandle({ file, embedder, formerEmbedder = localEmbedder }: EmbeddedStoreOptions): StoreHandle {
  let openedFixes: OpenFixes | undefined
  let background: Promise<void> | undefined
  let former: Embedder | undefined
  let checkedAt = 0
  const closing = new AbortController()

  /** Only where vectors are needed anyway: a search by words loads no model. */
  const reembedMissing = (fixes: OpenFixes): void => {
    if (background || closing.signal.aborted || fixes.tables.count() === 0) return
    const space = fixes.spaces.of(embedder)
    if (space?.isActive && fixes.spaces.countMissing(space.space) === 0) return
    background = reembed(fixes, embedder, closing.signal)
      // The former vectors go on answering; `doctor` tells what is missing.
      .catch(() => {})
      .finally(() => (background = undefined))
  }
  const reembedNowAndThen = (fixes: OpenFixes): void => {
    if (Date.now() - checkedAt < CHECK_MS) return
    checkedAt = Date.now()
    reembedMissing(fixes)
  }
  const forget = (): void => {
    openedFixes?.close()
    openedFixes = undefined
  }
  const progress = ({ tables, spaces }: OpenFixes): { readonly done: number; readonly total: number } => {
    const [ownSpace, total] = [spaces.of(embedder), tables.count()]
    return { done: ownSpace ? total - spaces.countMissing(ownSpace.space) : 0, total }
  }
  const use = <T>(work: (fixes: OpenFixes) => T): T => {
    try {
      if (openedFixes && !openedFixes.isCurrent()) forget()
      return work((openedFixes ??= openFixes(file)))
    } catch (error) {
      const failure = storeError(file, error)
      // The next request may find it repaired.
      if (failure !== error) forget()
      throw failure
    }
  }

  const write = <T>(work: (fixes: OpenFixes) => T): T => {
    const outcome = use(fixes =>
      // A repair holds the lock until the new file is in place; what is then written to the old one is lost.
      transact(fixes.database, () => (fixes.isCurrent() ? { result: work(fixes) } : undefined)),
    )
    if (!outcome) return write(work)
    use(reembedNowAndThen)
    return outcome.result
  }

  /** The spaces that answer now, the one that holds more fixes first, each with its embedder. */
  const answering = async (): Promise<readonly { readonly space: QueryIn['space']; readonly by: Embedder }[]> => {
    const { active, own } = use(({ spaces }) => ({ active: spaces.active(), own: spaces.of(embedder) }))
    if (!active || active.space === own?.space) return own ? [{ space: own, by: embedder }] : []
    if (own && use(({ spaces }) => spaces.countMissing(own.space)) === 0) return [{ space: own, by: embedder }]
    if (former?.name !== active.embedder) former = await formerEmbedder(active)
    if (former) return [{ space: active, by: former }, ...(own ? [{ space: own, by: embedder }] : [])]
    // Not with those alone that have vectors: the best fix may be among the others.
    return []
  }

  return {
    use,
    read: work => use(fixes => snapshot(fixes.database, () => work(fixes))),
    write,
    isEmpty: () => !existsSync(file) || use(({ tables }) => tables.count() === 0),
    async queryVectors({ text, embedWithinMs, loading }, signal) {
      use(reembedNowAndThen)
      const spacesToAsk = await answering()
      if (spacesToAsk.length === 0) {
        // An embedder that fails says why there are no vectors.
        await loadModel(embedder, signal, loading)
        await queryVector(embedder, text, signal, embedWithinMs)
        const { done, total } = use(progress)
        const share = `${done} of ${total} fixes have vectors of ${embedder.name}`
        throw memoryError('embedding_failed', `The embedder was changed: ${share} so far`, REEMBED)
      }
      return Promise.all(
        spacesToAsk.map(async ({ space, by }) => {
          await loadModel(by, signal, loading)
          const vector = await queryVector(by, text, signal, embedWithinMs)
          if (vector.length === space.dimension) return { space, vector }
          const lengths = `${vector.length} numbers, and those of the stored fixes have ${space.dimension}`
          throw memoryError('embedding_failed', `A vector of ${by.name} now has ${lengths}`, REEMBED)
        }),
      )
    },
    async reembedded() {
      if (existsSync(file)) use(reembedMissing)
      await background
    },
    async close() {
      closing.abort(new ToolError('cancelled', 'The memory was closed'))
      await background
      await former?.close()
      forget()
    },
  }
}

/** A process that ends with its answer, such as a command, leaves no time for work in the background. */
const REEMBED = 'Retry, or run toolwright fixes doctor --repair, which makes them all'

/** A model on this machine may answer for its vectors. One elsewhere gets no more texts once it is not configured. */
async function localEmbedder({ embedder: name, directory }: Space): Promise<Embedder | undefined> {
  const [{ modelEmbedder }, { modelIn, OWN_MODEL, ownModel }] = await Promise.all([
    import('../embed/model-embedder.ts'),
    import('../embed/model-files.ts'),
  ])
  if (name === OWN_MODEL) return modelEmbedder(ownModel())
  if (directory === '' || !existsSync(directory)) return undefined
  try {
    const model = modelIn(directory)
    return model.name === name ? modelEmbedder(model) : undefined
  } catch {
    return undefined
  }
}
