import type { IndexSource } from '../index/index-source.ts'
import type { Glance, RepositoryIndex } from '../index/repository-index.ts'
import type { Visibility } from '../index/table/answer.ts'
import type { FileFacts, IndexAnswer, IndexStatus, Place, SymbolsAnswer } from '../index/types.ts'
import type { Connection } from './connect.ts'
import type { AroundQuestion, IndexQuestion, SentSight, SymbolsQuestion } from './index-part.ts'
import type { Resident } from './open-resident.ts'

const ANSWER_MS = 30_000
const GLANCE_MS = 1000
/** A process that does not answer one quick query within this time gets no other. */
const LATE_MS = 25

/**
 * The repository index of the resident process, or our own if there is none or it ends. Each request may be answered by
 * either.
 */
export function residentIndex(resident: Resident, localIndex: IndexSource): IndexSource {
  /** Numbers for the path lists of both, so that they are never confused. */
  const names = new Map<number, { readonly whose: object; readonly version: number }>()
  let last = 0
  let lastLine: Connection | undefined
  const askNow = quickQuestions(resident)

  const here = async (): Promise<RepositoryIndex> => localIndex.open()

  /** Asks the process, and our own index if anything goes wrong there. */
  async function either<T>(
    remote: (line: Connection) => Promise<T>,
    local: (index: RepositoryIndex) => Promise<T>,
  ): Promise<T> {
    const line = localIndex.opened() === undefined ? await resident.reach() : undefined
    lastLine = line
    if (line) {
      try {
        return await remote(line)
      } catch {}
    }
    return local(await here())
  }

  /** Returns a number that only grows and identifies the list. */
  function versionOf(whose: object, version: number): number {
    const newest = names.get(last)
    if (newest?.whose === whose && newest.version === version) return last
    names.clear()
    names.set(++last, { whose, version })
    return last
  }

  const index: RepositoryIndex = {
    query(query, { sight, isQuick, ...options }) {
      const indexQuestion: IndexQuestion = { query, ...options, ...serialiseSight(sight) }
      return either(
        line => line.ask<IndexAnswer>('index.query', indexQuestion, answeredIn(options.waitMs)),
        local => local.query(query, { ...options, ...(isQuick && { isQuick }), ...(sight && { sight }) }),
      )
    },
    symbols(query, { sight, ...options }) {
      const symbolsQuestion: SymbolsQuestion = { query, ...options, ...serialiseSight(sight) }
      return either(
        line => line.ask<SymbolsAnswer>('index.symbols', symbolsQuestion, answeredIn(options.waitMs)),
        local => local.symbols(query, { ...options, ...(sight && { sight }) }),
      )
    },
    facts: (path, sight) =>
      either(
        async line => {
          const params = { path, ...serialiseSight(sight) }
          return (await line.ask<FileFacts | null>('index.facts', params, { timeoutMs: ANSWER_MS })) ?? undefined
        },
        local => local.facts(path, sight),
      ),
    glance: async (path, sight) => glance(path, sight),
    around: async places => (await around(places)) ?? [],
    status: sight =>
      either(
        line => line.ask<IndexStatus>('index.status', serialiseSight(sight), { timeoutMs: ANSWER_MS }),
        local => local.status(sight),
      ),
    async paths(known, waitMs) {
      const before = known === undefined ? undefined : names.get(known)
      const ask = async (
        whose: object,
        paths: RepositoryIndex['paths'],
      ): Promise<Awaited<ReturnType<RepositoryIndex['paths']>>> => {
        const answer = await paths(before?.whose === whose ? before.version : undefined)
        return { ...answer, version: versionOf(whose, answer.version) }
      }
      return either(
        line => ask(line, version => line.ask('index.paths', { known: version, waitMs }, answeredIn(waitMs))),
        local => ask(local, version => local.paths(version, waitMs)),
      )
    },
    close: () => localIndex.close(),
  }

  return {
    open: async () => index,
    // One file is no reason to build an index, but to use an open one.
    opened: () => (localIndex.opened() !== undefined || lastLine?.isOpen() ? index : undefined),
    glance,
    around,
    close: () => localIndex.close(),
  }

  function glance(path: string, sight?: Visibility): Promise<Glance | undefined> | undefined {
    if (localIndex.opened() !== undefined) return localIndex.glance(path, sight)
    return askNow<Glance>('index.glance', { path, ...serialiseSight(sight) })
  }

  function around(places: readonly Place[]): Promise<readonly (string | undefined)[]> | undefined {
    if (localIndex.opened() !== undefined) return localIndex.around(places)
    const namesAround = askNow<readonly (string | null)[]>('index.around', { files: byFile(places) })
    return namesAround?.then(found => found?.map(name => name ?? undefined) ?? [])
  }
}

/** Groups neighbours, so that the order of the places stays. */
function byFile(places: readonly Place[]): AroundQuestion {
  const files: { readonly path: string; readonly lines: number[] }[] = []
  for (const { path, from, to } of places) {
    if (files.at(-1)?.path !== path) files.push({ path, lines: [] })
    files.at(-1)?.lines.push(from, to)
  }
  return files
}

/** Asks the process only if it is near and answers at once; undefined otherwise. */
function quickQuestions(resident: Resident): <T>(method: string, params: object) => Promise<T | undefined> | undefined {
  let [open, since] = [0, 0]
  return <T>(method: string, params: object) => {
    const isLate = open > 0 && performance.now() - since > LATE_MS
    const near = isLate ? undefined : resident.near()
    return near && ask<T>(near, method, params)
  }

  async function ask<T>(
    near: NonNullable<ReturnType<Resident['near']>>,
    method: string,
    params: object,
  ): Promise<T | undefined> {
    if (open++ === 0) since = performance.now()
    try {
      const line = await near
      return (await line?.ask<T | null>(method, params, { timeoutMs: GLANCE_MS })) ?? undefined
    } catch {
      return undefined
    } finally {
      open--
    }
  }
}

const answeredIn = (waitMs = 0) => ({ timeoutMs: ANSWER_MS + waitMs })

function serialiseSight(sight: Visibility | undefined): { readonly sight?: SentSight } {
  if (sight === undefined) return {}
  const { leaveOut, ...rest } = sight
  return { sight: { ...rest, ...(leaveOut && { leaveOut: [...leaveOut] }) } }
}
