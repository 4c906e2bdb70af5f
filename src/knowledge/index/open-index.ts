import { languageOf } from '../../languages/registry.ts'
import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import type { CallScope } from '../../machine/workspace/call-scope.ts'
import type { IndexSource } from './index-source.ts'
import type { Glance, RepositoryIndex } from './repository-index.ts'
import type { Visibility } from './table/answer.ts'
import type { IndexEngine, SymbolsOptions } from './types.ts'

interface IndexParts extends Pick<CallScope, 'root' | 'staging' | 'mayRead' | 'secretFiles' | 'hides'> {
  readonly source: IndexSource
  /** Replaces the times of the index and its files, if answers must not depend on time. */
  readonly fixedTime?: (() => number) | undefined
  /** Answers must not depend on whether an index is open. */
  readonly sameAgain?: boolean
}

/** Most files to ask about for one answer. */
const MOST_FILES = 100

/** Returns the first of these files that may define symbols. */
export const firstWithCode = (paths: readonly string[]): readonly string[] =>
  paths.filter(path => languageOf(path) !== undefined).slice(0, MOST_FILES)

/** Longest wait of a read or a search for data that was not requested. */
const GLANCE_MS = 25

/** Opens the repository index for one call: without files it may not read, and with staged changes. */
export function openIndex({
  root,
  source,
  staging,
  mayRead,
  secretFiles,
  hides,
  fixedTime,
  sameAgain = false,
}: IndexParts): IndexEngine {
  const isListed = hides !== undefined || secretFiles === 'some'
  return {
    async query(query, options) {
      const timeLeft = countdown(options)
      const index = await source.open()
      const sight = await sightOf(index, timeLeft().waitMs)
      // The list of hidden files must be as new as the answer.
      const isQuick = options.isQuick === true && !isListed && !sameAgain && staging.isEmpty()
      const answer = await index.query({ query, ...timeLeft(), isQuick, sight })
      // A file created a moment ago is in no exclusion list.
      const files = isListed ? answer.files.filter(file => mayRead(file.path)) : answer.files
      const unparsedFiles = answer.unparsed.filter(file => mayRead(file.path))
      return {
        ...answer,
        unparsed: unparsedFiles,
        files: fixedTime ? files.map(file => ({ ...file, mtimeMs: fixedTime() })) : files,
      }
    },
    async symbols(query, options) {
      const timeLeft = countdown(options)
      const index = await source.open()
      const sight = await sightOf(index, timeLeft().waitMs)
      const answer = await index.symbols({ query, ...timeLeft(), sight })
      const isReadable = ({ path }: { readonly path: string }) => mayRead(path)
      return {
        ...answer,
        symbols: isListed ? answer.symbols.filter(isReadable) : answer.symbols,
        unparsed: answer.unparsed.filter(isReadable),
        damaged: answer.damaged.filter(path => mayRead(path)),
      }
    },
    async facts(path) {
      const { visibleFacts } = await import('./visible-facts.ts')
      return visibleFacts({ root, staging, mayRead, index: source.opened(), sightOf }, path)
    },
    known(path) {
      // Most texts are not code and have no facts.
      if (sameAgain || languageOf(path) === undefined || !staging.isEmpty() || !mayRead(path)) return undefined
      const glance = source.glance({ path })
      return glance && withinGlance(readable(path, glance))
    },
    async around(places) {
      if (sameAgain || !staging.isEmpty()) return []
      // What a file defines comes from that file alone.
      const placePaths = [...new Set(places.map(({ path }) => path))]
      const paths = new Set(firstWithCode(placePaths.filter(path => mayRead(path))))
      const readablePlaces = places.filter(({ path }) => paths.has(path))
      const symbolsAround = readablePlaces.length > 0 ? source.around({ places: readablePlaces }) : undefined
      const names = (symbolsAround && (await withinGlance(symbolsAround))) ?? []
      const nameByPlace = new Map(readablePlaces.map((place, at) => [place, names[at]]))
      return places.map(place => nameByPlace.get(place))
    },
    async status() {
      const index = await source.open()
      const status = await index.status({ sight: await sightOf(index) })
      const unparsedFiles = status.unparsed.filter(file => mayRead(file.path))
      return { ...status, unparsed: unparsedFiles, ...(fixedTime && { generatedAt: fixedTime() }) }
    },
  }

  /** Asks again without files that may not be read, if the facts come from them. */
  async function readable(path: string, seen: Promise<Glance | undefined>): Promise<Glance['facts'] | undefined> {
    const leaveOut = new Set<string>()
    for (let glance = await seen; glance; glance = await source.glance({ path, sight: { leaveOut } })) {
      const hiddenPaths = glance.through.filter(each => !leaveOut.has(each) && isClosed(each))
      if (hiddenPaths.length === 0) return glance.facts
      for (const each of hiddenPaths) leaveOut.add(each)
    }
    return undefined
  }

  async function sightOf(index: RepositoryIndex, waitMs?: number): Promise<Visibility | undefined> {
    const leaveOut = isListed && new Set((await concernedPaths(index, hides, waitMs)).filter(path => !mayRead(path)))
    const unread = { ...(leaveOut && { leaveOut }), ...(secretFiles === 'closed' && { secrets: true as const }) }
    if (staging.isEmpty()) return isListed || secretFiles === 'closed' ? unread : undefined
    const { stagedChanges } = await import('./staged-changes.ts')
    const changes = await stagedChanges(index, root, staging, mayRead, waitMs)
    return { staged: changes, ...unread }
  }

  /** Checks single files quickly: no rule concerns most of them. */
  function isClosed(path: string): boolean {
    return (hides !== undefined || (secretFiles !== 'open' && isSecretFile(path))) && !mayRead(path)
  }
}

interface Known {
  readonly version: string
  readonly paths: readonly string[]
}

/** By rules, which are created once per session, and by index. */
const sightCache = new WeakMap<object, WeakMap<RepositoryIndex, Known>>()
const NO_RULES = {}

/** Returns paths that some rule names or that hold secrets: only these can be denied to a call. */
async function concernedPaths(
  index: RepositoryIndex,
  hides: HiddenPaths | undefined,
  waitMs: number | undefined,
): Promise<readonly string[]> {
  const rules = hides ?? NO_RULES
  let byIndex = sightCache.get(rules)
  if (!byIndex) sightCache.set(rules, (byIndex = new WeakMap()))
  const before = byIndex.get(index)
  const { version, paths } = await index.paths({ known: before?.version, waitMs })
  if (before && (paths === undefined || before.version === version)) return before.paths
  const now = { version, paths: (paths ?? []).filter(path => hides?.matches(path) || isSecretFile(path)) }
  byIndex.set(index, now)
  return now.paths
}

function withinGlance<T>(answer: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>(resolve => {
    timer = setTimeout(resolve, GLANCE_MS, undefined)
  })
  return Promise.race([answer.catch(() => undefined), late]).finally(() => clearTimeout(timer))
}

/** Returns the options of a request with its remaining time. */
function countdown<Options extends SymbolsOptions>(options: Options): () => Options {
  const { waitMs } = options
  if (waitMs === undefined) return () => options
  const until = performance.now() + waitMs
  return () => ({ ...options, waitMs: Math.max(0, until - performance.now()) })
}
