import { unpackLines } from '../search/index/packed-lines.ts'
import type { IndexedSearch } from '../search/indexed-search.ts'
import type { SearchKnowledge } from './knowledge.ts'
import { decodeSelection } from './selection-bits.ts'

const LIST_MS = 10_000
const FIND_MS = 30_000

/** Searches through the knowledge of a workspace, for one call each. The list of all files is sent once for all. */
export function searchThrough({ files, grep, find }: SearchKnowledge): () => IndexedSearch {
  let lastList: { readonly version: string; readonly files: readonly string[] } | undefined
  return () => {
    let version: string | undefined
    return {
      async files() {
        const list = lastList
        const answer = await files({ known: list?.version }, { timeoutMs: LIST_MS })
        if (!answer) return undefined
        version = answer.version
        if (answer.files) lastList = { version, files: answer.files }
        return answer.files ?? list?.files
      },
      async grep({ signal, ...options }, { leaveOut, secrets }) {
        const { timeoutMs } = options
        const answer = await grep({ options, leaveOut, secrets, version }, { timeoutMs, signal })
        if (!answer?.packed) return answer
        const { packed, names, ...answerRest } = answer
        return { ...answerRest, matches: unpackLines(packed, names), ...(names && { isNamed: true }) }
      },
      async find(directory, glob, { signal, ...options }, { leaveOut }) {
        const list = lastList
        const question = { directory, glob, options, leaveOut, version, known: list?.version }
        const answer = await find(question, { timeoutMs: FIND_MS, signal })
        if (!answer) return undefined
        const { version: listVersion, picked, files: sent = list?.files ?? [], ...answerRest } = answer
        if (picked === undefined) return { ...answerRest, files: sent }
        if (answer.files) lastList = { version: listVersion, files: sent }
        return { ...answerRest, files: decodeSelection(picked, sent) }
      },
    }
  }
}
