import type { Socket } from 'node:net'
import { readTarget, type Target } from '../../../kernel/target.ts'
import { connectTo } from '../../web/connect.ts'
import { resolveTarget } from '../../web/resolve.ts'
import { timeLimit } from '../../web/time-limit.ts'
import { webRefusal } from '../../web/web-error.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { ProxyOptions } from './types.ts'

/** A judged connection, or the status and sentence that the command gets instead. */
type Upstream =
  | { readonly socket: Socket; readonly target: Target }
  | { readonly socket?: undefined; readonly status: number; readonly why: string }

/** Judges a command's destination by the rules for a fetch, and connects to the judged address. */
export async function connectUpstream(
  options: ProxyOptions,
  method: string,
  url: string,
  connectMs: number,
): Promise<Upstream> {
  const { allows, egress, network, decided } = options
  const limit = timeLimit(connectMs)
  let origin = url
  try {
    const target = readTarget(url)
    origin = target.origin
    if (!allows(origin)) throw webRefusal(`this command was not granted ${target.host}:${target.port}`)
    const addresses = await limit.during(resolveTarget(network, egress, target))
    decided?.({ method, origin, allowed: true })
    return { socket: await connectTo(network, target, addresses, limit.signal), target }
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    const isRefusal = cause.code === 'denied' || cause.code === 'invalid_input'
    if (isRefusal) decided?.({ method, origin, allowed: false, why: cause.message })
    return { status: isRefusal ? 403 : cause.code === 'timeout' ? 504 : 502, why: cause.message }
  } finally {
    limit.end()
  }
}
