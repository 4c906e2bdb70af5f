import { unpackLines } from '../search/index/packed-lines.ts'
import type { IndexedSearch } from '../search/indexed-search.ts'
import type { Connection } from './connect.ts'
import type { Resident } from './open-resident.ts'
import { decodeSelection } from './selection-bits.ts'
import type { FilesAnswer, FilesQuestion, FindAnswer, FindQuestion, GrepAnswer, GrepQuestion } from './search-part.ts'

const LIST_MS = 10_000
const FIND_MS = 30_000
/** Margin in which the process itself gives up in time, with partial results. */
const MARGIN_MS = 500

/**
 * The search of the resident process, for one call each. Any failure falls back to a scan: a call never fails because
 * of a process that it does not need.
 */
export function residentSearch(resident: Pick<Resident, 'reach' | 'close'>): () => IndexedSearch {
  let lastList: { readonly line: Connection; readonly version: string; readonly files: readonly string[] } | undefined
  const listOf = (line: Connection | undefined) => (lastList?.line === line ? lastList : undefined)
  return () => {
    let version: string | undefined
    return {
      async files() {
        const line = await resident.reach()
        const have = listOf(line)
        const filesQuestion: FilesQuestion = have ? { known: have.version } : {}
        const answer = await ask<FilesAnswer>(resident, line, 'search.files', filesQuestion, { timeoutMs: LIST_MS })
        if (!line || !answer) return undefined
        version = answer.version
        if (answer.files) lastList = { line, version, files: answer.files }
        return answer.files ?? have?.files
      },
      async grep({ signal, ...options }, { leaveOut, secrets }) {
        const grepQuestion: GrepQuestion = {
          options,
          leaveOut,
          packs: true,
          ...(secrets && { secrets }),
          ...(version !== undefined && { version }),
        }
        const timeoutMs = options.timeoutMs + MARGIN_MS
        const line = await resident.reach()
        const answer = await ask<GrepAnswer & { readonly attached?: Buffer }>(
          resident,
          line,
          'search.grep',
          grepQuestion,
          {
            timeoutMs,
            ...(signal && { signal }),
          },
        )
        if (!answer?.packed) return answer
        const { packed, names, attached: bytes = Buffer.alloc(0), ...answerRest } = answer
        return { ...answerRest, matches: unpackLines({ ...packed, bytes }, names), ...(names && { isNamed: true }) }
      },
      async find(directory, glob, { signal, ...options }, { leaveOut }) {
        const line = await resident.reach()
        const have = listOf(line)
        const findQuestion: FindQuestion = {
          directory,
          glob,
          options,
          leaveOut,
          ...(version !== undefined && { version }),
          ...(have && { known: have.version }),
        }
        const answer = await ask<FindAnswer>(resident, line, 'search.find', findQuestion, {
          timeoutMs: FIND_MS,
          ...(signal && { signal }),
        })
        if (!line || !answer) return undefined
        const { version: listVersion, picked, files = have?.files ?? [], ...answerRest } = answer
        if (picked === undefined) return { ...answerRest, files }
        if (answer.files) lastList = { line, version: listVersion, files }
        return { ...answerRest, files: decodeSelection(picked, files) }
      },
    }
  }
}

/** Reconnects at once after a loss, so that the next search finds a new process. */
async function ask<T>(
  resident: Pick<Resident, 'reach' | 'close'>,
  line: Connection | undefined,
  method: string,
  params: unknown,
  options: Parameters<Connection['ask']>[2],
): Promise<T | undefined> {
  try {
    return (await line?.ask<T | null>(method, params, options)) ?? undefined
  } catch {
    if (line && !line.isOpen()) void resident.reach()
    return undefined
  }
}
