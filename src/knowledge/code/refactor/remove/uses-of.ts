import { ToolError } from '../../../../kernel/error.ts'
import { dispatchedPlaces } from '../../callers/classes/dispatched-uses.ts'
import { fileLooks } from '../../callers/file-looks.ts'
import { mentions } from '../../callers/mentions.ts'
import type { CodeParts } from '../../code-parts.ts'
import { deadlineIn } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { Basis, RefactorQuestion } from '../../types.ts'
import { demandSeen } from '../demand-seen.ts'
import type { FoundSymbol } from '../find-symbol.ts'
import type { Sources } from '../../source.ts'
import { demandNoSigns } from './demand-no-signs.ts'

export interface Use {
  readonly path: string
  readonly offset: number
  readonly line: number
  readonly text: string
}

export interface Uses {
  /** Its own declarations too. */
  readonly uses: readonly Use[]
  /** Places in files that the caller may not read. */
  readonly unread: number
  readonly basis: Basis
}

/** Every place that a symbol is used at, as its server says; none where no server serves the language. */
export async function usesOf(
  parts: CodeParts,
  sources: Sources,
  found: FoundSymbol,
  question: RefactorQuestion,
): Promise<Uses> {
  const since = performance.now()
  try {
    return await byServer(parts, sources, found, question)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'unavailable') throw error
    const deadlineMs = question.deadlineMs - (performance.now() - since)
    await demandNoSigns(parts, found, { ...question, deadlineMs })
    return { uses: [], unread: 0, basis: { by: 'syntax' } }
  }
}

async function byServer(
  parts: CodeParts,
  sources: Sources,
  found: FoundSymbol,
  { deadlineMs, signal }: RefactorQuestion,
): Promise<Uses> {
  demandSeen(parts)
  const staged = stagedTexts(parts.root, parts.staging)
  return parts.servers.ask(found.source.path, staged, deadlineIn(deadlineMs, signal), server =>
    serverUses(parts, sources, found, server),
  )
}

/** Every place that a server sees a symbol used at, its own declarations too. */
export async function serverUses(
  parts: CodeParts,
  sources: Sources,
  { source, span }: FoundSymbol,
  server: AskedServer,
): Promise<Uses> {
  if (server.unknown > 0)
    throw new ToolError('unavailable', `${server.unknown} files of no project could not be looked at`)
  const readable = (path: string) => (parts.mayRead(path) ? sources(path).text : undefined)
  const looks = fileLooks(server, readable)
  const at = source.positionOf(span.nameAt)
  const asked = { ...parts, server, looks }
  const named = await mentions(source.path, [at], asked, { declarations: true })
  const places = [...named, ...(await dispatchedPlaces(span.name, source.path, at, asked))]
  const uses: Use[] = []
  let unread = 0
  for (const { uri, range } of places) {
    const path = server.pathOf(uri)
    if (path === undefined || !parts.mayRead(path)) unread++
    else uses.push(useAt(sources, path, sources(path).offsetOf(range.start)))
  }
  return { uses: uses.toSorted(inOrder), unread, basis: { by: 'server', server: server.name } }
}

/** A place with the line that it stands in. */
export function useAt(sources: Sources, path: string, offset: number): Use {
  const source = sources(path)
  const { line } = source.positionOf(offset)
  const start = source.offsetOf({ line, character: 0 })
  const text = /^[^\r\n]*/.exec(source.text.slice(start))?.[0].trim() ?? ''
  return { path, offset, line: line + 1, text: text.slice(0, 200) }
}

const inOrder = (one: Use, other: Use): number =>
  (one.path < other.path ? -1 : one.path > other.path ? 1 : 0) || one.offset - other.offset
