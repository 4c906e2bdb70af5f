import type { DiskTree } from '../tree/open-tree.ts'
import { firstWithCode } from '../index/open-index.ts'
import type { RepositoryIndex } from '../index/repository-index.ts'
import type { Place } from '../index/types.ts'
import { placesIn, type PackedLines } from '../search/index/packed-lines.ts'
import type { SearchIndex } from '../search/index/types.ts'
import { countSecrets, type IndexedGrep } from '../search/indexed-search.ts'
import type { FindOptions, FoundFiles, GrepOptions } from '../search/types.ts'
import { wantedFiles, type CompileGlob } from '../search/wanted-files.ts'
import { findInList } from './find-in-list.ts'
import { AttachedAnswer, type Question, type ResidentPart } from './part.ts'
import { pathList } from './path-list.ts'
import { encodeSelection } from './selection-bits.ts'

export interface FilesQuestion {
  /** The version that the caller already has. */
  readonly known?: string
}

export interface FilesAnswer {
  readonly version: string
  /** Left out if the caller has them. */
  readonly files?: readonly string[]
}

/** Bounds of a search besides its options. */
interface Bounds {
  readonly leaveOut: readonly string[]
  /** Version of the files that `leaveOut` was computed from; with another version there is no answer. */
  readonly version?: string
}

export interface GrepQuestion extends Bounds {
  readonly options: Omit<GrepOptions, 'signal'>
  /** The caller may not read files with secrets. */
  readonly secrets?: true
  /** The caller takes lines as attached bytes. */
  readonly packs?: true
}

/** The lines are attached, unless `matches` or `files` has the answer. */
export interface GrepAnswer extends IndexedGrep {
  readonly packed?: Omit<PackedLines, 'bytes'>
  /** The symbol around each line, if it was asked for. */
  readonly names?: readonly (string | null | undefined)[]
}

export interface FindQuestion extends Bounds, FilesQuestion {
  readonly directory: string
  readonly glob: string
  readonly options: Omit<FindOptions, 'signal'>
}

export interface FindAnswer extends Omit<FoundFiles, 'filesHidden' | 'files'>, FilesAnswer {
  /** Selects the found files among all; otherwise `files` lists them. */
  readonly picked?: string
}

/** From this share on, all files are sent, so that the next answer is short. */
const MANY = 1 / 4

interface Held {
  readonly tree: DiskTree
  readonly index: SearchIndex
  readonly compileGlob: CompileGlob
  /** Returns the symbols around places of a settled tree. */
  readonly around?: RepositoryIndex['around']
  /** Files foreign to the workspace. */
  readonly isForeign: (path: string) => boolean
}

/** The search index as a part of the process. Each request carries its rules and staged changes. */
export function searchPart({ tree, index, compileGlob, isForeign, around }: Held): ResidentPart {
  const list = pathList(tree, isForeign)
  const isAnother = (version: string | undefined): boolean => version !== undefined && version !== list.version()

  async function files({ params }: Question): Promise<FilesAnswer | null> {
    const { known }: FilesQuestion = Object(params)
    const { state } = await tree.settle()
    if (state === 'behind') return null
    const version = list.version()
    return known === version ? { version } : { version, files: list.all() }
  }

  async function grep(question: Question): Promise<GrepAnswer | AttachedAnswer | null> {
    const { params, signal } = question
    const { options, leaveOut, secrets, version, packs }: GrepQuestion = Object(params)
    const excludedPaths = list.leftOut(secrets)
    const answer = await index.grep(
      {
        options,
        leaveOut: leaveOut.length > 0 ? [...leaveOut, ...excludedPaths] : excludedPaths,
        packs: packs === true,
      },
      signal,
    )
    // A file was added while the index updated.
    if (list.leftOut(secrets) !== excludedPaths) return grep(question)
    if ('scan' in answer || isAnother(version) || tree.isRefused()) return null
    if (isUnlisted(options.directory ?? '.')) return null
    const secretCounts = secrets ? countSecrets(list.secrets(), options, leaveOut) : {}
    if (!answer.packed) return { ...answer, ...secretCounts }
    const names = options.names && around && (await around(placesAsked(answer.packed)))
    const { bytes, ...packedLines } = answer.packed
    return new AttachedAnswer(
      { ...answer, ...secretCounts, packed: packedLines, ...(names && { names }) } satisfies GrepAnswer,
      bytes,
    )
  }

  async function find({ params }: Question): Promise<FindAnswer | null> {
    const { directory, glob, options, leaveOut, version: requestedVersion, known }: FindQuestion = Object(params)
    const treeState = await tree.settle({ strict: options.strict === true })
    if (treeState.state === 'behind' || isAnother(requestedVersion) || isUnlisted(directory) || tree.isRefused())
      return null
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

  return {
    answers: { 'search.files': files, 'search.grep': grep, 'search.find': find },
    status() {
      const { state, files: count, bytes } = index.status()
      const [pending, failure] = [Math.max(0, tree.files().size - count), tree.defect()]
      return { name: 'search', state, files: count, pending, bytes, ...(failure !== undefined && { failure }) }
    },
    close: () => index.close(),
  }
}

/** Returns the places of the first files with code; the lines of others have no names. */
function placesAsked(packed: PackedLines): readonly Place[] {
  const pathsWithCode = new Set(firstWithCode(packed.paths))
  return placesIn(packed).map(({ path, line }) => ({ path: pathsWithCode.has(path) ? path : '', from: line, to: line }))
}
