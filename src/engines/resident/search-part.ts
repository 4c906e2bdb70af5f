import type { DiskTree } from '../index/tree/open-tree.ts'
import type { SearchIndex } from '../search/index/types.ts'
import type { IndexedGrep } from '../search/indexed-search.ts'
import type { FindOptions, FoundFiles, GrepOptions } from '../search/types.ts'
import { wantedFiles, type CompileGlob } from '../search/wanted-files.ts'
import type { Question, ResidentPart } from './part.ts'
import { pathList } from './path-list.ts'

export interface FilesQuestion {
  /** The version that whoever asks has already. */
  readonly known?: string
}

export interface FilesAnswer {
  readonly version: string
  /** Not there for whoever has them. */
  readonly files?: readonly string[]
}

/** What is asked of a search besides its options. */
export interface Bounds {
  readonly leaveOut: readonly string[]
  /** Of the files that `leaveOut` was worked out from: with others there the answer is none. */
  readonly version?: string
}

export interface GrepQuestion extends Bounds {
  readonly options: Omit<GrepOptions, 'signal'>
}

export interface FindQuestion extends Bounds {
  readonly directory: string
  readonly glob: string
  readonly options: Omit<FindOptions, 'signal'>
}

/** Null where the files have to be scanned. */
export type SearchAnswer<T> = Omit<T, 'filesHidden'> | null

interface Held {
  readonly tree: DiskTree
  readonly index: SearchIndex
  readonly compileGlob: CompileGlob
  /** Files of the workspace that are none of its own. */
  readonly isForeign: (path: string) => boolean
}

/** The search index as a part of the process; what rules and staged changes ask for is told with each question. */
export function searchPart({ tree, index, compileGlob, isForeign }: Held): ResidentPart {
  const list = pathList(tree, isForeign)
  const isAnother = (version: string | undefined): boolean => version !== undefined && version !== list.version()

  async function files({ params }: Question): Promise<FilesAnswer | null> {
    const { known }: FilesQuestion = Object(params)
    const { state } = await tree.settle()
    if (state === 'behind') return null
    const version = list.version()
    return known === version ? { version } : { version, files: list.all() }
  }

  async function grep(question: Question): Promise<IndexedGrep | null> {
    const { params, signal } = question
    const { options, leaveOut, version }: GrepQuestion = Object(params)
    const foreign = list.leftOut()
    const answer = await index.grep({ options, leaveOut: [...leaveOut, ...foreign] }, signal)
    // One came while the index looked for what is new.
    if (list.leftOut() !== foreign) return grep(question)
    if ('scan' in answer || isAnother(version)) return null
    return isUnlisted(options.directory ?? '.') ? null : answer
  }

  async function find({ params }: Question): Promise<SearchAnswer<FoundFiles>> {
    const { directory, glob, options, leaveOut, version }: FindQuestion = Object(params)
    const settled = await tree.settle({ strict: options.strict === true })
    if (settled.state === 'behind' || isAnother(version) || isUnlisted(directory)) return null
    const { skip = 0, maxResults, maxDepth, hidden = true } = options
    const { matches } = wantedFiles(compileGlob, glob)
    const left = new Set(leaveOut)
    const cut = directory === '.' ? 0 : directory.length + 1
    const { from, to } = list.below(directory)
    const all = list.all()
    const found: string[] = []
    let total = 0
    for (let at = from; at < to; at++) {
      const path = all[at] ?? ''
      const below = path.slice(cut)
      if (!matches(below) || left.has(path)) continue
      if (isDeeper(below, maxDepth) || (!hidden && HIDDEN.test(below))) continue
      if (total++ >= skip && found.length < maxResults) found.push(path)
    }
    return { files: found, total, timedOut: false, freshness: { source: 'index', checked: settled.checked } }
  }

  /** A directory that an ignore rule leaves out is searched by whoever names it, and nothing of it is known here. */
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

const HIDDEN = /(?:^|\/)\./

/** Whether a path has more names than so many, without taking it apart. */
function isDeeper(path: string, most: number): boolean {
  let names = 1
  for (let at = path.indexOf('/'); at >= 0 && names <= most; at = path.indexOf('/', at + 1)) names++
  return names > most
}
