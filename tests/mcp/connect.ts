import {
  Client,
  InMemoryTransport,
  type ElicitResult,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type RequestOptions,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import type { Server } from '@modelcontextprotocol/server'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TemporaryWorkspace } from '../../src/testing/index.ts'

const root = join(import.meta.dirname, '../..')
const { bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The command as it is published; `npm test` builds it before. */
export const CLI: string = join(root, bin.toolwright)

/** What a client is asked: the text, and the fields of the form. */
export interface Shown {
  readonly message: string
  readonly fields: object
}

export interface ConnectOptions {
  readonly args?: readonly string[]
  /** What is run; the command as it is published unless given. */
  readonly program?: string
  /** `modern` is the protocol of 2026-07-28; the others begin with `initialize`. */
  readonly protocol?: 'modern' | '2024-11-05' | '2025-03-26' | '2025-06-18' | '2025-11-25'
  /** What the client calls itself. */
  readonly name?: string
  readonly version?: string
  /** The roots that the client says it has, as they are at the moment. */
  readonly roots?: () => readonly string[]
  /** Answers questions; without it the client says that it cannot show any. */
  readonly elicit?: (shown: Shown) => ElicitResult | Promise<ElicitResult>
}

export interface Connection extends AsyncDisposable {
  readonly client: Client
  call(name: string, input: object, options?: RequestOptions): Promise<Answered>
}

export interface Connected extends Connection {
  readonly pid: number
  readonly errors: () => string
}

export interface Answered {
  readonly isError: boolean
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly structured: any
  readonly text: string
}

/** A client written with the public SDK, connected to the real command over its standard input and output. */
export async function connect(
  workspace: Pick<TemporaryWorkspace, 'path' | 'env'>,
  options: ConnectOptions = {},
): Promise<Connected> {
  const { args = [], program = CLI } = options
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd: workspace.path,
    env: { ...workspace.env },
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr?.on('data', chunk => (errors += chunk))
  const client = clientOf(options)
  await client.connect(transport)
  return { ...connected(client), pid: transport.pid ?? 0, errors: () => errors }
}

/** The same with a server in this process. */
export async function connectTo(server: Server, options: ConnectOptions = {}): Promise<Connection> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = clientOf({ protocol: '2025-11-25', ...options })
  await Promise.all([server.connect(theirs), client.connect(ours)])
  return connected(client)
}

/** Compiles each schema once: every client asks for those of all tools. */
class SharedValidators extends AjvJsonSchemaValidator {
  readonly #known = new Map<string, unknown>()

  override getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const key = JSON.stringify(schema)
    if (!this.#known.has(key)) this.#known.set(key, super.getValidator(schema))
    return this.#known.get(key) as JsonSchemaValidator<T>
  }
}

const validators = new SharedValidators()

function clientOf(options: ConnectOptions): Client {
  const { protocol = 'modern', name = 'test-client', version = '1.0.0', roots, elicit } = options
  const client = new Client(
    { name, version },
    {
      capabilities: { ...(elicit && { elicitation: {} }), ...(roots && { roots: { listChanged: true } }) },
      jsonSchemaValidator: validators,
      ...(protocol === 'modern'
        ? { versionNegotiation: { mode: { pin: '2026-07-28' } } }
        : { supportedProtocolVersions: [protocol] }),
    },
  )
  if (roots) client.setRequestHandler('roots/list', () => ({ roots: roots().map(uri => ({ uri })) }))
  if (elicit)
    client.setRequestHandler('elicitation/create', ({ params }) =>
      elicit({ message: params.message, fields: 'requestedSchema' in params ? params.requestedSchema.properties : {} }),
    )
  return client
}

const connected = (client: Client): Connection => ({
  client,
  async call(name, input, more) {
    const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...input } }, more)
    const text = content.flatMap(each => (each.type === 'text' ? each.text : [])).join('\n')
    return { isError: isError === true, structured: structuredContent, text }
  },
  [Symbol.asyncDispose]: () => client.close(),
})
