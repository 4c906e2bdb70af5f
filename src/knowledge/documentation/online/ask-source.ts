import { hash } from 'node:crypto'
import { ToolError } from '../../../kernel/error.ts'
import { readTarget } from '../../../kernel/target.ts'
import type { Fetched, WebEngine } from '../../../machine/web/types.ts'
import type { OnlineSource } from '../../../kernel/documentation-sources.ts'
import { limitError } from '../source-failure.ts'
import type { Found, SourceAnswer } from '../types.ts'
import type { AnswerCache } from './answer-cache.ts'
import type { SourceLimits } from './limits.ts'

/** What every request to a source needs. */
export interface OnlineParts {
  readonly web: WebEngine
  readonly limits: SourceLimits
  readonly answers: AnswerCache
  /** Younger answers are used again without a request. */
  readonly freshMs: number
  readonly requestMs: number
  now(): number
}

/** One request to a source, and how to read what it answers. */
export interface SourceRequest {
  readonly source: OnlineSource
  /** The source's name for people. */
  readonly name: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Returns undefined for an answer of another shape. */
  read(answer: unknown): readonly Found[] | undefined
  /** Returns the time before which this answer forbids another request. */
  limit(answer: Reply): number | undefined
}

export interface Reply {
  readonly status: number
  readonly headers: Fetched['headers']
  /** The body as JSON; undefined if it is none. */
  readonly body: unknown
  readonly now: number
}

const MOST_BYTES = 4 * 1024 * 1024

/**
 * Returns what a source answers: from the cache while it is fresh, or while the source forbids requests; else by one
 * request. Never asks before the time that an earlier answer named.
 */
export async function askSource(
  request: SourceRequest,
  parts: OnlineParts,
  signal: AbortSignal,
): Promise<SourceAnswer> {
  const { source, name, url, body } = request
  const key = hash('sha256', JSON.stringify([source, url, body ?? '']))
  const place = `${source} ${readTarget(url).origin}`
  const cachedAnswer = parts.answers.get(key)
  const cachedResults = cachedAnswer && request.read(jsonOf(cachedAnswer.body))
  const asKept = cachedResults && { found: cachedResults, ageSeconds: Math.round(cachedAnswer.ageMs / 1000) }
  if (asKept && cachedAnswer.ageMs < parts.freshMs) return asKept
  const until = parts.limits.until(place)
  if (until > 0) {
    if (asKept) return asKept
    throw limitError(name, until)
  }
  const reply = await send(request, parts, signal)
  const next = request.limit(reply.reply)
  if (next !== undefined) parts.limits.note(place, next)
  if (reply.reply.status !== 200) {
    if (next !== undefined) throw limitError(name, next)
    throw failure(name, `answered with status ${reply.reply.status}${messageIn(reply.reply.body)}`)
  }
  const results = request.read(reply.reply.body)
  if (!results) throw failure(name, 'answered with something else than the expected JSON')
  parts.answers.set(key, reply.content)
  return { found: results }
}

async function send(
  { name, url, headers = {}, body }: SourceRequest,
  { web, requestMs, now }: OnlineParts,
  signal: AbortSignal,
): Promise<{ readonly reply: Reply; readonly content: string }> {
  const page = await web.fetch(
    {
      url,
      headers: { accept: 'application/json', ...headers },
      timeoutMs: requestMs,
      maxBytes: MOST_BYTES,
      as: 'raw',
      ...(body !== undefined && { method: 'POST' as const, body }),
    },
    signal,
  )
  if (page.truncated) throw failure(name, 'broke off in the middle of its answer')
  const reply = { status: page.status, headers: page.headers, body: jsonOf(page.content), now: now() }
  return { reply, content: page.content }
}

/** Returns the time that `Retry-After` names, in seconds or as a date, of an answer that refuses. */
export function retryAfter({ status, headers, now }: Reply): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const retryHeader = headers['retry-after']
  if (retryHeader !== undefined && /^\d{1,9}$/.test(retryHeader)) return now + Math.max(1, Number(retryHeader)) * 1000
  const date = Date.parse(retryHeader ?? '')
  if (!Number.isNaN(date)) return Math.max(date, now + 1000)
  return status === 429 ? now + 60_000 : undefined
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the objects of a list; undefined if it is no list. */
export const listIn = (value: unknown): readonly Fields[] | undefined =>
  Array.isArray(value) ? value.filter(each => typeof each === 'object' && each !== null) : undefined

export type Fields = Readonly<Record<string, unknown>>

/** Returns a text of a foreign answer; anything else is the empty text. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export const numberOf = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0)

const messageIn = (body: unknown): string => {
  const { message, error_message: other } = Object(body)
  const reason = textOf(message) || textOf(other)
  return reason === '' ? '' : `: ${reason.replace(/\s+/g, ' ').slice(0, 200)}`
}

const failure = (name: string, what: string): ToolError =>
  new ToolError('io', `${name} ${what}`, { hint: 'Ask again later, or ask other sources' })
