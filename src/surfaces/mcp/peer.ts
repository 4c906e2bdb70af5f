import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { ClientCapabilities, Server, ServerContext } from '@modelcontextprotocol/server'

/** The client that a request comes from, as far as approval needs to know it. */
export interface Peer {
  readonly name: string
  readonly version: string
  /** How it can be asked: by a request of ours, by a result that demands input (since 2026-07-28), or not at all. */
  readonly asked: 'by request' | 'by result' | 'never'
}

export function peerOf(server: Server, { mcpReq }: ServerContext): Peer {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope
  if (!envelope)
    return {
      ...named(server.getClientVersion()),
      asked: hasForms(server.getClientCapabilities()?.elicitation) ? 'by request' : 'never',
    }
  const capabilities: ClientCapabilities = Object(envelope[CLIENT_CAPABILITIES_META_KEY])
  return {
    ...named(envelope[CLIENT_INFO_META_KEY]),
    asked: hasForms(capabilities.elicitation) ? 'by result' : 'never',
  }
}

/** A client that names no mode means forms; one that only opens pages cannot show ours. */
const hasForms = (elicitation: ClientCapabilities['elicitation']): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)

const named = (info: unknown): Pick<Peer, 'name' | 'version'> => {
  const { name, version } = Object(info)
  return {
    name: typeof name === 'string' && name !== '' ? name.slice(0, 80) : 'the MCP client',
    version: typeof version === 'string' ? version.slice(0, 80) : '',
  }
}
