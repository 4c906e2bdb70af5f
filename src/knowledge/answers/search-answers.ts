import type { AskOptions } from '../../kernel/ask-options.ts'
import type { DiskTree } from '../tree/open-tree.ts'
import { firstWithCode } from '../index/open-index.ts'
import type { RepositoryIndex } from '../index/repository-index.ts'
import type { Place } from '../index/types.ts'
import { placesIn, type PackedLines } from '../search/index/packed-lines.ts'
import type { SearchIndex } from '../search/index/types.ts'
import { countSecrets } from '../search/indexed-search.ts'
import { wantedFiles, type CompileGlob } from '../search/wanted-files.ts'
import { findInList } from './find-in-list.ts'
import type { SearchKnowledge } from './knowledge.ts'
import { pathList } from './path-list.ts'
import type {
  FilesAnswer,
  FilesQuestion,
  FindAnswer,
  FindQuestion,
  GrepAnswer,
  GrepQuestion,
} from './search-questions.ts'
import { encodeSelection } from './selection-bits.ts'

/** From this share on, all files are sent, so that the next answer is short. */
const MANY = 1 / 4

interface SearchSources {
  readonly tree: DiskTree
  readonly index: SearchIndex
  readonly compileGlob: CompileGlob
  /** Returns the symbols around places of a settled tree. */
  readonly around?: RepositoryIndex['around']
  /** Files foreign to the workspace. */
  readonly isForeign: (path: string) => boolean
}

/** Answers searches from the search index. Each question carries its rules and staged changes. */
export function searchAnswers({ tree, index, compileGlob, isForeign, around }: SearchSources): SearchKnowledge {
  const list = pathList(tree, isForeign)
  const isAnother = (version: string | undefined): boolean => version !== undefined && version !== list.version()

  async function files({ known }: FilesQuestion): Promise<FilesAnswer | undefined> {
    const { state } = await tree.settle()
    if (state === 'behind') return undefined
    const version = list.version()
    return known === version ? { version } : { version, files: list.all() }
  }

  async function grep(question: GrepQuestion, asking: AskOptions): Promise<GrepAnswer | undefined> {
    const { options, leaveOut, secrets, version } = question
    const excludedPaths = list.leftOut(secrets)
    const answer = await index.grep(
      {
        options,
        leaveOut: leaveOut.length > 0 ? [...leaveOut, ...excludedPaths] : excludedPaths,
        packs: true,
      },
      asking.signal,
    )
    // A file was added while the index updated.
    if (list.leftOut(secrets) !== excludedPaths) return grep(question, asking)
    if ('scan' in answer || isAnother(version) || tree.isRefused()) return undefined
    if (isUnlisted(options.directory ?? '.')) return undefined
    const secretCounts = secrets ? countSecrets(list.secrets(), options, leaveOut) : {}
    if (!answer.packed) return { ...answer, ...secretCounts }
    const names = options.names && around && (await around({ places: placesAsked(answer.packed), isSettled: true }))
    return { ...answer, ...secretCounts, ...(names && { names }) }
  }

  async function find(question: FindQuestion): Promise<FindAnswer | undefined> {
    const { directory, glob, options, leaveOut, version: requestedVersion, known } = question
    const treeState = await tree.settle({ strict: options.strict === true })
    if (treeState.state === 'behind' || isAnother(requestedVersion) || isUnlisted(directory) || tree.isRefused())
      return undefined
    const { found, total } = findInList(list, { directory, wanted: wantedFiles(compileGlob, glob), options, leaveOut })
    const freshness = { source: 'index', checked: treeState.checked } as const
    const [all, version] = [list.all(), list.version()]
    const answer = { version, total, timedOut: false, freshness }
    const selection = encodeSelection(found, all.length)
    if (known === version) return { ...answer, picked: selection }
    if (found.length > all.length * MANY) return { ...answer, picked: selection, files: all }
    return { ...answer, files: found.map(at => all[at] ?? '') }
  }

  /**
   * Reports whether ignore rules exclude a directory: callers can search it by name, but the index does not contain it.
   */
  function isUnlisted(directory: string): boolean {
    const { from, to } = list.below(directory)
    return directory !== '.' && from === to
  }

  return { files, grep, find }
}

/** Returns the places of the first files with code; the lines of others have no names. */
function placesAsked(packed: PackedLines): readonly Place[] {
  const pathsWithCode = new Set(firstWithCode(packed.paths))
  return placesIn(packed).map(({ path, line }) => ({ path: pathsWithCode.has(path) ? path : '', from: line, to: line }))
}
