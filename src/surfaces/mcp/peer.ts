import { CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import type { ClientCapabilities, Server } from '@modelcontextprotocol/server'
import type { CallRequest } from './call-request.ts'

/** The client of a request, as far as approval needs it. */
export interface Peer {
  readonly name: string
  readonly version: string
  /** How to ask it: by a request of ours, by a result that demands input (since 2026-07-28), or never. */
  readonly asked: 'by request' | 'by result' | 'never'
}

export function peerOf(server: Server, { mcpReq }: CallRequest): Peer {
  const envelope: Readonly<Record<string, unknown>> | undefined = mcpReq.envelope
  if (!envelope)
    return {
      ...nameAndVersion(server.getClientVersion()),
      asked: hasForms(server.getClientCapabilities()?.elicitation) ? 'by request' : 'never',
    }
  const capabilities: ClientCapabilities = Object(envelope[CLIENT_CAPABILITIES_META_KEY])
  return {
    ...nameAndVersion(envelope[CLIENT_INFO_META_KEY]),
    asked: hasForms(capabilities.elicitation) ? 'by result' : 'never',
  }
}

/** A client without a mode supports forms; one that only opens pages cannot show ours. */
const hasForms = (elicitation: ClientCapabilities['elicitation']): boolean =>
  elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)

/** Parentheses say by which way an answer came, such as `ann (approve)`: no client can call itself so. */
const withoutParentheses = (name: string): string => name.replaceAll('(', '[').replaceAll(')', ']')

const nameAndVersion = (info: unknown): Pick<Peer, 'name' | 'version'> => {
  const { name, version } = Object(info)
  return {
    name: typeof name === 'string' && name !== '' ? withoutParentheses(name.slice(0, 80)) : 'the MCP client',
    version: typeof version === 'string' ? version.slice(0, 80) : '',
  }
}
