import { randomBytes } from 'node:crypto'
import {
  createRequestStateCodec,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import type { OpenClient } from '../../../src/surfaces/http/mcp/endpoint.ts'
import { mcpForm } from '../../../src/kernel/wire-forms.ts'
import { fixtureContract } from './fixture-tools.ts'
import { addPrompts } from './fixture-prompts.ts'
import { PNG } from './media.ts'
import { isModern, withRequest, type RequestContext } from './request-context.ts'

/** Serves the fixtures of the suite in place of our tools: each call goes through our gates. */
export const openFixtures: OpenClient = async (caller, { place }) => {
  const kit = place.kit.session({ contract: fixtureContract, client: caller.name })
  const states = createRequestStateCodec<string>({ key: randomBytes(32) })
  let publisher: ServerNotifier | undefined

  const signed = async (result: InputRequiredResult): Promise<InputRequiredResult> =>
    result.requestState === undefined ? result : { ...result, requestState: await states.mint(result.requestState) }

  async function call(server: Server, name: string, input: object, request: ServerContext) {
    const context: RequestContext = {
      request,
      isModern: isModern(request),
      notify: {
        toolsChanged: () => (publisher ? publisher.toolsChanged() : void server.sendToolListChanged()),
        promptsChanged: () => (publisher ? publisher.promptsChanged() : void server.sendPromptListChanged()),
      },
    }
    const { outcome } = await withRequest(context, () => kit.run(name, input, { signal: request.mcpReq.signal }))
    if (context.protocolError !== undefined) throw context.protocolError
    if (!outcome.ok && outcome.error.code === 'unknown_tool')
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.error.message)
    return outcome.ok ? resultOf(outcome.data) : failed(outcome.error.message)
  }

  function newServer() {
    const server = new Server(
      { name: 'toolwright-conformance', version: '1.0.0' },
      {
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true },
          prompts: { listChanged: true },
          completions: {},
          logging: {},
        },
        requestState: { verify: states.verify },
        jsonSchemaValidator: {
          getValidator: () => data => ({ valid: true, data: data as never, errorMessage: undefined }),
        },
      },
    )
    server.setRequestHandler('tools/list', () => ({
      tools: fixtureContract.tools.map(tool => {
        const { name, title, description, inputSchema, annotations } = mcpForm(tool)
        return { name, title, description, annotations, inputSchema: { ...inputSchema, type: 'object' as const } }
      }),
    }))
    server.setRequestHandler('tools/call', async ({ params }, request) => {
      const result = await call(server, params.name, params.arguments ?? {}, request)
      return isInputRequiredResult(result) ? signed(result) : result
    })
    addResources(server)
    addPrompts(server)
    server.setRequestHandler('completion/complete', ({ params }) => ({
      completion: {
        values: ['paris', 'park', 'party'].filter(word => word.startsWith(params.argument.value)),
        hasMore: false,
      },
    }))
    return { server, call: () => Promise.reject(new Error('The fixtures are called through the SDK')) }
  }
  return { newServer, notifyBy: notifier => (publisher = notifier), end: () => {} }
}

function resultOf(data: unknown): CallToolResult | InputRequiredResult {
  const { inputRequired, content } = Object(data)
  return inputRequired === undefined ? { content } : { resultType: 'input_required', ...inputRequired }
}

const failed = (message: string): CallToolResult => ({ content: [{ type: 'text', text: message }], isError: true })

const RESOURCES = [
  { uri: 'test://static-text', name: 'Static text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'Static binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'Watched', mimeType: 'text/plain' },
]

function addResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'Template', mimeType: 'application/json' }],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const [, id] = /^test:\/\/template\/([^/]+)\/data$/.exec(uri) ?? []
    if (id !== undefined)
      return {
        contents: [
          {
            uri,
            mimeType: 'application/json',
            text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
          },
        ],
      }
    if (uri === 'test://static-binary') return { contents: [{ uri, mimeType: 'image/png', blob: PNG }] }
    if (RESOURCES.some(resource => resource.uri === uri))
      return { contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }] }
    throw new ResourceNotFoundError(uri)
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}
