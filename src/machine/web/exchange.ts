import type { IncomingMessage } from 'node:http'
import type { Egress } from '../../kernel/egress.ts'
import type { Target } from '../../kernel/target.ts'
import { connectTo, secure } from './connect.ts'
import type { Network } from './network.ts'
import { sendRequest, type Method } from './request.ts'
import { resolveTarget } from './resolve.ts'
import type { TimeLimit } from './time-limit.ts'

/**
 * Sends one request to one target and returns the response head. Judges the addresses and connects to one of those
 * judged.
 */
export async function exchange(
  target: Target,
  method: Method,
  headers: Readonly<Record<string, string>>,
  { network, egress }: { readonly network: Network; readonly egress: Egress },
  { signal, during }: TimeLimit,
  body?: string,
): Promise<IncomingMessage> {
  const addresses = await during(resolveTarget(network, egress, target))
  const socket = await connectTo(network, target, addresses, signal)
  const channel = target.protocol === 'https:' ? await secure(network, target, socket, signal) : socket
  return sendRequest(channel, target, method, headers, signal, body)
}
