import type * as lsp from 'vscode-languageserver-protocol'
import type { z } from 'zod'
import { ToolError } from '../../../kernel/error.ts'
import type { Deadline } from './deadline.ts'
import type { ServerDefinition } from '../../../languages/server-definition.ts'
import type { LiveServer } from './live-server.ts'
import {
  ANSWERS,
  editsOf,
  outlineOf,
  placesOf,
  rangeKey,
  SEVERITY,
  type Diagnostic,
  type Position,
} from './lsp-schemas.ts'
import type { ServerUris } from './server-uris.ts'
import type { ServerClient } from './types.ts'

interface AskParts {
  readonly definition: ServerDefinition
  readonly live: LiveServer
  readonly places: ServerUris
  readonly deadline: Deadline
  isAwaited(): boolean
  /** Reports that the question sent at this time was not answered. */
  unanswered(sentAt: number): void
}

/** The typed requests to a server. */
export function serverClient({ definition, live, places, deadline, isAwaited, unanswered }: AskParts): ServerClient {
  const at = (path: string, position: Position) =>
    ({ textDocument: { uri: places.uriOf(path) }, position }) satisfies lsp.TextDocumentPositionParams
  const isOffered = (name: string) => Boolean(live.capabilities[`${name}Provider`])
  const isProvided = (name: string) =>
    isOffered(name) || (name === 'diagnostic' && (definition.judgesSilently ?? definition.pushesDiagnostics ?? false))
  return {
    name: definition.name,
    missesAliases: definition.missesAliases ?? false,
    unknown: live.unknown(),
    isReady: live.isReady(),
    can: isProvided,
    isAwaited,
    pathOf: places.pathOf,
    async outline(path) {
      const textDocument = { uri: places.uriOf(path) }
      return outlineOf(await put(path, 'documentSymbol', { textDocument }, ANSWERS.outline))
    },
    async references(path, position, { declarations = false } = {}) {
      const context = { includeDeclaration: declarations }
      const params = { ...at(path, position), context } satisfies lsp.ReferenceParams
      return placesOf(await put(path, 'references', params, ANSWERS.locations))
    },
    definition: requestLocations('definition'),
    typeDefinition: requestLocations('typeDefinition'),
    implementations: requestLocations('implementation'),
    async hover(path, position) {
      if (!isOffered('hover')) return ''
      return [(await put(path, 'hover', at(path, position), ANSWERS.hover))?.contents ?? []].flat().join('\n')
    },
    async rename(path, position, name) {
      const { prepareProvider } = Object(live.capabilities['renameProvider'])
      if (prepareProvider && !(await put(path, 'prepareRename', at(path, position), ANSWERS.anything))) return undefined
      const params = { ...at(path, position), newName: name } satisfies lsp.RenameParams
      return editsOf(await put(path, 'rename', params, ANSWERS.workspaceEdit).catch(explainRefusal(definition)))
    },
    async movedFile(from, to) {
      const { willRename } = Object(Object(live.capabilities['workspace']).fileOperations)
      if (!willRename) return undefined
      await live.ready(from, deadline)
      const files = [{ oldUri: places.uriOf(from), newUri: places.uriOf(to) }]
      const params = { files } satisfies lsp.RenameFilesParams
      return editsOf(await request('workspace/willRenameFiles', params, ANSWERS.workspaceEdit))
    },
    async diagnostics(path) {
      if (definition.pushesDiagnostics && !isOffered('diagnostic'))
        return uniqueDiagnostics(await noteTimeouts(() => live.pushed(path, deadline)))
      if (definition.judgesOpenDocuments) await live.opened(path)
      const textDocument = { uri: places.uriOf(path) }
      return uniqueDiagnostics((await put(path, 'diagnostic', { textDocument }, ANSWERS.diagnostics))?.items ?? [])
    },
  }

  function requestLocations(method: string): ServerClient['definition'] {
    return async (path, position) => placesOf(await put(path, method, at(path, position), ANSWERS.locations))
  }

  async function put<T>(path: string, method: string, params: unknown, answer: z.ZodType<T>): Promise<T> {
    await live.ready(path, deadline)
    const result = await request(`textDocument/${method}`, params, answer)
    if (method !== 'documentSymbol') live.noteAnswer()
    return result
  }

  function request<T>(method: string, params: unknown, answer: z.ZodType<T>): Promise<T> {
    return noteTimeouts(() => live.connection.request(method, params, answer, deadline))
  }

  async function noteTimeouts<T>(ask: () => Promise<T>): Promise<T> {
    const sentAt = performance.now()
    try {
      return await ask()
    } catch (error) {
      if (error instanceof ToolError && error.code === 'timeout') unanswered(sentAt)
      throw error
    }
  }
}

/** Says what a server means by its refusal. */
const explainRefusal =
  ({ refusal }: ServerDefinition) =>
  (error: unknown): never => {
    if (!refusal || !(error instanceof ToolError) || !error.message.includes(refusal.says)) throw error
    throw new ToolError('unavailable', refusal.means, { hint: refusal.hint })
  }

function uniqueDiagnostics(given: readonly Diagnostic[]): Diagnostic[] {
  const faults = given.filter(({ severity }) => severity !== SEVERITY.hint)
  return [...new Map(faults.map(one => [`${rangeKey(one.range)} ${one.code} ${one.message}`, one])).values()]
}
