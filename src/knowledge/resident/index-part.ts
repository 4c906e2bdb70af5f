import { setTimeout as pause } from 'node:timers/promises'
import type { RepositoryIndex } from '../index/repository-index.ts'
import type { Visibility } from '../index/table/answer.ts'
import type { DiskTree } from '../tree/open-tree.ts'
import type { IndexQuery, Place, SymbolsOptions } from '../index/types.ts'
import type { Question, ResidentPart } from './part.ts'

/** A view in a message. */
export interface SentSight extends Omit<Visibility, 'leaveOut'> {
  readonly leaveOut?: readonly string[]
}

export interface IndexQuestion {
  readonly query: IndexQuery
  readonly limit: number
  readonly skip?: number
  readonly waitMs?: number
  readonly sight?: SentSight
}

export interface SymbolsQuestion extends SymbolsOptions {
  readonly query: string
  readonly sight?: SentSight
}

/** Places grouped by path, because many are in the same file: their first and last lines in turn. */
export type AroundQuestion = readonly { readonly path: string; readonly lines: readonly number[] }[]

const LOOK_MS = 200

/** The repository index as a part of the process, over a tree that reports its failure. */
export function indexPart(index: RepositoryIndex, tree: Pick<DiskTree, 'defect'>): ResidentPart {
  let isBuilt = false
  let isClosed = false
  void untilBuilt()
  return {
    answers: {
      'index.query'({ params }: Question) {
        const { query, sight, ...options }: IndexQuestion = Object(params)
        return index.query(query, { ...options, ...sightOf(sight) })
      },
      'index.symbols'({ params }: Question) {
        const { query, sight, ...options }: SymbolsQuestion = Object(params)
        return index.symbols(query, { ...options, ...sightOf(sight) })
      },
      async 'index.facts'({ params }: Question) {
        const { path, sight }: { path: string; sight?: SentSight } = Object(params)
        // Parsing one file takes less time than waiting for all.
        if (!isBuilt) return null
        return (await index.facts(path, sightOf(sight).sight)) ?? null
      },
      async 'index.glance'({ params }: Question) {
        const { path, sight }: { path: string; sight?: SentSight } = Object(params)
        return (await index.glance(path, sightOf(sight).sight)) ?? null
      },
      'index.around'({ params }: Question) {
        const files: AroundQuestion = Object(params).files
        return index.around(files.flatMap(placesOf))
      },
      'index.status'({ params }: Question) {
        const { sight }: { sight?: SentSight } = Object(params)
        return index.status(sightOf(sight).sight)
      },
      'index.paths'({ params }: Question) {
        const { known, waitMs }: { known?: number; waitMs?: number } = Object(params)
        return index.paths(known, waitMs)
      },
    },
    async status() {
      const { state, totalFiles, pending, unparsed } = await index.status()
      const failure = tree.defect()
      const unparsedFiles = unparsed.length > 0 ? { unparsed } : {}
      return {
        name: 'index',
        state,
        files: totalFiles - pending,
        pending,
        ...unparsedFiles,
        ...(failure !== undefined && { failure }),
      }
    },
    close() {
      isClosed = true
      return index.close()
    },
  }

  async function untilBuilt(): Promise<void> {
    isBuilt = (await index.status().catch(() => undefined))?.state === 'current'
    if (isBuilt || isClosed || tree.defect() !== undefined) return
    await pause(LOOK_MS)
    void untilBuilt()
  }
}

function placesOf({ path, lines }: AroundQuestion[number]): Place[] {
  const places: Place[] = []
  for (let at = 0; at < lines.length; at += 2) places.push({ path, from: lines[at] ?? 0, to: lines[at + 1] ?? 0 })
  return places
}

function sightOf(sent: SentSight | undefined): { readonly sight?: Visibility } {
  if (sent === undefined) return {}
  const { leaveOut, ...rest } = sent
  return { sight: { ...rest, ...(leaveOut && { leaveOut: new Set(leaveOut) }) } }
}
