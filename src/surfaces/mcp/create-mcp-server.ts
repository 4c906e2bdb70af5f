import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { CallToolRequest, CallToolResult, ServerNotifier } from '@modelcontextprotocol/server'
import manifest from '../../../package.json' with { type: 'json' }
import { answeredBy, type Answer, type Answerer } from '../../runtime/questions.ts'
import type { SessionHandle, Toolkit } from '../../toolkit.ts'
import { answerOf, approvalForm, undecidedAnswer } from './approval-form.ts'
import { askByRequest } from './ask-by-request.ts'
import type { AnswerCall, CallRequest } from './call-request.ts'
import { callResult, roomFor } from './call-result.ts'
import type { DirectServer } from './direct-calls.ts'
import { instructions } from './instructions.ts'
import { isOurs, mountTools, taskOf, type MountedTool } from './mount-tools.ts'
import { callOnce, openCall, type OpenCall, type RunningCall } from './open-call.ts'
import { createParkedCalls } from './parked-calls.ts'
import { createStates, type SignedStates } from './signed-states.ts'
import { compactForm, type CompactForm } from './compact-form.ts'
import { peerOf, type Peer } from './peer.ts'
import { addPrompts } from './prompts.ts'
import { addResources } from './resources.ts'
import type { ToolSet } from './tool-set.ts'
import { getsStructured, type Structured } from './structured.ts'

/** Tools of a server, and its wait for a person. */
export interface McpServerOptions {
  /** Contracts to mount; default is the toolkit's. With several, names on the wire are prefixed. */
  readonly contracts?: readonly string[]
  /** Longest wait for an approval; default ten minutes. */
  readonly approvalMs?: number
  /** Whether answers of our own contract carry structured content; default `auto`. */
  readonly structured?: Structured
  /** Tools of our own contract to mount; default all. */
  readonly tools?: ToolSet
}

const APPROVAL_MS = 10 * 60_000
/** A client continues with an answer from the text, and asks again if it needs more. */
const SERVER_WAIT_MS = 2_000

/**
 * Creates an MCP server with a toolkit's tools, for one connection over any transport of the SDK. Its calls ask the
 * connected client. Closing it ends running calls and leaves the toolkit open.
 */
export async function createMcpServer(kit: Toolkit, options: McpServerOptions = {}): Promise<Server> {
  const { server } = await directServer(kit, options)
  return server
}

/** Creates the same, with its answers to tool calls. */
export async function directServer(kit: Toolkit, options: McpServerOptions): Promise<DirectServer> {
  const tools = await mountTools(kit, options.contracts ?? [], options.tools)
  return serverIn({ root: kit.root, ours: ours(tools), open: async () => ({ workspace: kit, kit, tools }) }, options)
}

/** Returns the names of tools of our own contract. */
const ours = (tools: ReadonlyMap<string, MountedTool>): ReadonlySet<string> =>
  new Set([...tools.values()].filter(isOurs).map(({ name }) => name))

/** Maps the names of those tools to their names on the wire. */
const onWire = (tools: ReadonlyMap<string, MountedTool>): ReadonlyMap<string, string> =>
  new Map([...tools].flatMap(([wire, tool]) => (isOurs(tool) ? [[tool.name, wire]] : [])))

/** A workspace opened on first use, because the client may choose it. */
interface ServedPlace {
  /** Undefined if not known yet. */
  readonly root: string | undefined
  /** Tools of our own contract that it will have. */
  readonly ours: ReadonlySet<string>
  open(server: Server): Promise<OpenedPlace>
}

interface OpenedPlace {
  readonly workspace: Toolkit
  /** The session that makes the calls. */
  readonly kit: SessionHandle
  readonly tools: ReadonlyMap<string, MountedTool>
}

/** Creates an MCP server for a workspace that may not be open yet. Closing it ends its calls. */
export function serverIn(place: ServedPlace, options: McpServerOptions): DirectServer {
  const calls = clientCalls(place, options)
  const direct = calls.newServer()
  // The SDK knows no other way.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  direct.server.onclose = calls.end
  return direct
}

/** The calls of one client, which outlive the server of a single request. */
export interface ClientCalls {
  newServer(): DirectServer
  /** Gets what announces changes to clients that listen for them, since 2026-07-28. */
  readonly notifyBy?: (notifier: ServerNotifier) => void
  /** Ends running calls and those whose question waits. */
  end(): void
}

interface ClientOptions extends McpServerOptions {
  /** What a person who is asked elsewhere reads for a client of this name. */
  readonly callerName?: (client: string) => string
}

/** Opens the calls of one client. Each server that it creates answers them for one connection or one request. */
export function clientCalls(place: ServedPlace, options: ClientOptions): ClientCalls {
  const { approvalMs = APPROVAL_MS, structured = 'auto', callerName = name => name } = options
  let opening: ReturnType<typeof openPlace> | undefined
  const openKit = (server: Server) =>
    (opening ??= openPlace(place, server).catch((error: unknown) => {
      // A later request may succeed.
      opening = undefined
      throw error
    }))
  const isSentTo = structuredFor(structured)
  const running = new Set<OpenCall>()
  const states = createStates()
  const parkedCalls = createParkedCalls(approvalMs, ({ settle }) => settle(undecidedAnswer('nobody', late(approvalMs))))

  const callOn =
    (server: Server): AnswerCall =>
    async (params, request) => {
      const { kit, tools, own } = await openKit(server)
      // The workspace may have been opened after the client had left.
      request.mcpReq.signal.throwIfAborted()
      const tool = tools.get(params.name)
      if (!tool) throw await unknownTool(kit, params, [...tools.keys()])
      const peer = peerOf(server, request)
      const work = async (making: RunningCall): Promise<CallToolResult> => {
        const { contract, name } = tool
        const isSent = isSentTo(peer)
        const { input, task } = taskOf(tool, params.arguments)
        const how = {
          contract,
          ...(task !== undefined && { task }),
          signal: making.signal,
          approve: untilUnshown(approverFor(making, request, peer, approvalMs)),
          caller: { client: callerName(peer.name), answerMs: approvalMs },
          onOutput: ({ text }: { readonly text: string }) => making.say(text),
          onProgress: making.say,
          waitMs: SERVER_WAIT_MS,
          abridged: true,
          ...(isOurs(tool) && { room: roomFor(name, isSent) }),
        }
        return callResult(tool, await kit.run(name, input, how), { structured: isSent, tools: own })
      }
      if (request.isOnly) return callOnce(request, work)
      const state = request.mcpReq.requestState()
      if (state === undefined) return follow(begin(params, work), request, peer)
      const { call: open, asked } = resume(state, params, request, peer)
      const next = await follow(open, request, peer)
      const first = answeredBy(asked.question)
      return first ? withText(next, `This answer came second: ${first.by} had answered ${first.answer}.`) : next
    }

  return {
    newServer() {
      const server = newServer(place, states)
      const call = callOn(server)
      server.setRequestHandler('tools/list', async (_request, ctx) => {
        const { tools } = await openKit(server)
        const isSent = isSentTo(peerOf(server, ctx))
        return { tools: [...tools.values()].map(tool => listingOf(tool, isSent)) }
      })
      server.setRequestHandler('tools/call', ({ params }, ctx) => call(params, ctx))
      addResources(server, async () => {
        const { workspace, kit, own } = await openKit(server)
        return { workspace, session: own.size > 0 ? kit : undefined }
      })
      addPrompts(server, async () => {
        const { tools } = await openKit(server)
        return [...new Set(Array.from(tools.values(), ({ contract }) => contract))]
      })
      server.oninitialized = () => {
        // Requests that need it report the failure.
        if (place.root === undefined) openKit(server).catch(() => {})
      }
      return { server, call }
    },
    end() {
      parkedCalls.endAll()
      for (const open of running) open.end()
    },
  }

  function begin(
    { name, arguments: input }: CallToolRequest['params'],
    work: (call: RunningCall) => Promise<CallToolResult>,
  ): OpenCall {
    return openCall(name, input, async open => {
      running.add(open)
      try {
        return await work(open)
      } finally {
        running.delete(open)
      }
    })
  }

  /** Continues with the client's answer. It applies only to the question that this client was asked. */
  function resume(
    state: unknown,
    params: CallToolRequest['params'],
    { mcpReq }: CallRequest,
    peer: Peer,
  ): Pick<NonNullable<ReturnType<typeof parkedCalls.take>>, 'call' | 'asked'> {
    const parkedCall = parkedCalls.take(state, params.name, params.arguments)
    if (!parkedCall) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
    const { asked, since } = parkedCall
    const reply = mcpReq.inputResponses?.[asked.question.id]
    asked.settle(answerOf(reply, performance.now() - since, peer, asked.question))
    return parkedCall
  }

  async function follow(open: OpenCall, request: CallRequest, peer: Peer): ReturnType<AnswerCall> {
    const next = await open.next(request)
    if ('result' in next) return next.result
    const { question } = next.asked
    return {
      resultType: 'input_required',
      inputRequests: { [question.id]: { method: 'elicitation/create', params: approvalForm(question, peer) } },
      requestState: await states.sign(parkedCalls.park(open, next.asked)),
    }
  }
}

async function openPlace(place: ServedPlace, server: Server) {
  const opened = await place.open(server)
  return { ...opened, own: onWire(opened.tools) }
}

/** Adds a line for the person whose answer was not used. */
function withText(answer: Awaited<ReturnType<AnswerCall>>, text: string): typeof answer {
  if (!('content' in answer) || !Array.isArray(answer.content)) return answer
  return { ...answer, content: [...answer.content, { type: 'text', text }] }
}

/** Reports whether a client gets structured content. Remembers the last one: nearly all connections have one client. */
function structuredFor(structured: NonNullable<McpServerOptions['structured']>): (peer: Peer) => boolean {
  let last: (Pick<Peer, 'name' | 'version'> & { readonly isSent: boolean }) | undefined
  return ({ name, version }) => {
    if (last?.name !== name || last.version !== version)
      last = { name, version, isSent: getsStructured(structured, { name, version }) }
    return last.isSent
  }
}

const newServer = ({ root, ours: tools }: ServedPlace, { verify }: SignedStates): Server =>
  new Server(
    { name: 'toolwright', title: 'Toolwright', version: manifest.version },
    {
      capabilities: { tools: {}, resources: {}, prompts: {} },
      instructions: instructions(root, tools),
      requestState: { verify },
      // Our code reads answers to our only form; the SDK's validator is three times the SDK's own size.
      jsonSchemaValidator: {
        getValidator: () => data => ({ valid: true, data: data as never, errorMessage: undefined }),
      },
    },
  )

function approverFor(
  { ask, signal }: RunningCall,
  request: CallRequest,
  peer: Peer,
  approvalMs: number,
): NonNullable<RunningCall['ask']> {
  if (peer.asked === 'by result' && ask) return ask
  if (peer.asked === 'never') return () => undecidedAnswer('nobody', `'${peer.name}' cannot show questions`)
  return question =>
    askByRequest(request, question, {
      peer,
      waitMs: approvalMs,
      late: late(approvalMs),
      signal,
    })
}

/** Asks a client no more in a call in which it has not shown a question: it would not show the next one either. */
function untilUnshown(ask: Answerer): Answerer {
  let unshown: Answer | undefined
  return async question => {
    if (unshown) return unshown
    const answer = await ask(question)
    if (answer.undecided !== undefined) unshown = answer
    return answer
  }
}

const late = (waitMs: number): string => `no one answered within ${Math.round(waitMs / 1000)} s`

function listingOf(tool: MountedTool, structured: boolean) {
  const { inputSchema, outputSchema, ...form }: CompactForm = isOurs(tool) ? compactForm(tool.form()) : tool.form()
  return {
    ...form,
    ...(tool.alwaysAsks && { _meta: { 'anthropic/requiresUserInteraction': true } }),
    inputSchema: { ...inputSchema, type: 'object' as const },
    ...(outputSchema &&
      (structured || !isOurs(tool)) && { outputSchema: { ...outputSchema, type: 'object' as const } }),
  }
}

/** Refuses a call of an unlisted tool, but records it in the journal as a call that ended before it began. */
async function unknownTool(
  kit: SessionHandle,
  { name, arguments: input = {} }: CallToolRequest['params'],
  names: readonly string[],
): Promise<ProtocolError> {
  await kit.run(name, input, { signal: AbortSignal.abort() })
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool '${name}' here. Tools: ${names.join(', ') || 'none'}`,
  )
}
