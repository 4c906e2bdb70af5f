import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { ToolError } from '../../kernel/error.ts'

interface Limited {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly message: string
}

const MINUTE = 60_000

/** Returns the time until which this answer forbids requests, by the primary limit or a secondary one. */
export function limitedUntil({ status, headers, message }: Limited, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined
  const wait = secondsOf(headers['retry-after'])
  if (wait !== undefined) return now + Math.max(1, wait) * 1000
  const reset = usedUpUntil(headers)
  if (reset !== undefined) return Math.max(reset, now + 1000)
  // GitHub asks for at least a minute if it gives no time.
  return status === 429 || /rate limit|abuse detection/i.test(message) ? now + MINUTE : undefined
}

/** Returns when the primary limit resets, if it is used up. */
export function usedUpUntil(headers: IncomingHttpHeaders): number | undefined {
  const reset = secondsOf(headers['x-ratelimit-reset'])
  return headers['x-ratelimit-remaining'] === '0' && reset !== undefined ? reset * 1000 : undefined
}

/** Waits as GitHub asks, within the time of the call. Otherwise throws an error that says when to try again. */
export async function waitUntil(time: number, deadline: number, signal: AbortSignal): Promise<void> {
  const ms = time - Date.now()
  if (ms <= 0) return
  const at = new Date(time).toISOString()
  if (time > deadline)
    throw new ToolError('quota', `GitHub's rate limit of this connection is used up until ${at}`, {
      hint: 'Try again after that; a token or an App has a higher limit than none',
      details: { retryAt: at },
    })
  await pause(ms, signal)
}

/** Waits for a while. Throws the reason if the caller cancels. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => signal.throwIfAborted())
}

const secondsOf = (header: string | string[] | undefined): number | undefined =>
  typeof header === 'string' && /^\d{1,12}$/.test(header) ? Number(header) : undefined
