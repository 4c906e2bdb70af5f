import { Client, StreamableHTTPClientTransport, type ClientCapabilities } from '@modelcontextprotocol/client'
import type { ServedTest } from './rig.ts'

export interface McpClientOptions {
  readonly token?: string
  /** What the client calls itself. */
  readonly name?: string
  /** The protocol; that of 2026-07-28 unless given. */
  readonly protocol?: '2025-11-25' | '2025-06-18' | '2025-03-26' | '2024-11-05'
  readonly capabilities?: ClientCapabilities
  readonly query?: string
  /** Called before it connects. */
  readonly prepare?: (client: Client) => void
}

/** A client written with the public SDK, connected over HTTP. */
export async function mcpClient(served: ServedTest, options: McpClientOptions = {}): Promise<Client> {
  const { token = served.token, protocol, capabilities = {}, query = '', prepare, name = 'test-client' } = options
  const client = new Client(
    { name, version: '1.0.0' },
    {
      capabilities,
      ...(protocol === undefined
        ? { versionNegotiation: { mode: { pin: '2026-07-28' } } }
        : { supportedProtocolVersions: [protocol] }),
    },
  )
  prepare?.(client)
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${served.server.url}/mcp${query}`), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  return client
}

/** The text of a tool's answer. */
export const textOf = ({ content }: Awaited<ReturnType<Client['callTool']>>): string =>
  content.flatMap(each => (each.type === 'text' ? each.text : [])).join('\n')

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw-client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A request as it goes over the wire. */
export const rpc = (id: number | string, method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

/** The same with everything that a request needs since 2026-07-28, and its headers. */
export const enveloped = (id: number | string, method: string, params: object = {}) => ({
  body: rpc(id, method, { ...params, _meta: META }),
  headers: {
    ...ACCEPTS,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...('name' in params && typeof params.name === 'string' && { 'mcp-name': params.name }),
  },
})

export const ACCEPTS = { accept: 'application/json, text/event-stream' }

export const initialize = (version = '2025-11-25') =>
  rpc(0, 'initialize', { protocolVersion: version, capabilities: {}, clientInfo: { name: 'raw-client', version: '1' } })

/** Begins a session with raw requests, and returns its headers. */
export async function beginSession(
  served: ServedTest,
  { token = served.token, headers = {}, version }: { token?: string; headers?: object; version?: string } = {},
): Promise<{ 'mcp-session-id': string; accept: string }> {
  const response = await served.request('POST', '/mcp', {
    token,
    body: initialize(version),
    headers: { ...ACCEPTS, ...headers },
  })
  const id = response.headers.get('mcp-session-id') ?? ''
  await response.text()
  await served.request('POST', '/mcp', {
    token,
    body: { jsonrpc: '2.0', method: 'notifications/initialized' },
    headers: { ...ACCEPTS, 'mcp-session-id': id },
  })
  return { ...ACCEPTS, 'mcp-session-id': id }
}

/** The messages of a body: JSON, or events. */
export async function messagesOf(response: Response): Promise<readonly Record<string, unknown>[]> {
  const text = await response.text()
  if (!response.headers.get('content-type')?.includes('event-stream')) return [JSON.parse(text)]
  return text.split('\n').flatMap(line => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []))
}
