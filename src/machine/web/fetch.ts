import type { IncomingMessage } from 'node:http'
import type { Egress } from '../../kernel/egress.ts'
import { ToolError } from '../../kernel/error.ts'
import { readTarget, type Target } from '../../kernel/target.ts'
import { announcedBytes, readBody } from './body.ts'
import { decodeBody, readContentType } from './charset.ts'
import { exchange } from './exchange.ts'
import { htmlToMarkdown } from './html/html-to-markdown.ts'
import type { Network } from './network.ts'
import { headersOf } from './request.ts'
import { timeLimit, type TimeLimit } from './time-limit.ts'
import type { Fetched, FetchRequest } from './types.ts'
import { fetchFailure, webRefusal } from './web-error.ts'

interface FetchOptions {
  readonly network: Network
  readonly egress: Egress
  /** Returns why a redirect may not be followed, or undefined if it may. */
  readonly bars: (to: Target, from: Target) => string | undefined
  readonly signal?: AbortSignal
}

const DEFAULT_TIMEOUT_MS = 20_000
const DEFAULT_MAX_BYTES = 1_048_576
const MOST_REDIRECTS = 5

/**
 * Fetches one page. Judges the addresses of its host and connects to one of those judged, again at every redirect. A
 * response of any status is a result; a failure to get one is an error.
 */
export async function fetchUrl(request: FetchRequest, options: FetchOptions): Promise<Fetched> {
  const first = readTarget(request.url)
  const headers = headersOf(request.headers)
  const limit = timeLimit(request.timeoutMs ?? DEFAULT_TIMEOUT_MS, options.signal)
  try {
    const { target, response } = await follow(first, request, headers, options, limit)
    return await answerOf(request, target, response, limit)
  } finally {
    limit.end()
  }
}

interface Arrived {
  readonly target: Target
  readonly response: IncomingMessage
}

async function follow(
  first: Target,
  { method = 'GET', body }: FetchRequest,
  headers: Readonly<Record<string, string>>,
  options: FetchOptions,
  limit: TimeLimit,
): Promise<Arrived> {
  let target = first
  let headersToSend = headers
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await exchange(target, method, headersToSend, options, limit, body)
    const location = redirectOf(response)
    if (location === undefined) return { target, response }
    response.destroy()
    if (body !== undefined) throw webRefusal(`${target.origin} redirects a request that sends something`)
    const next = nextTarget(location, target, options)
    // Headers for one origin are not sent to another, nor again after a return to the first.
    if (next.origin !== target.origin) headersToSend = headersOf()
    target = next
  }
  throw fetchFailure(`it redirected more than ${MOST_REDIRECTS} times`, first.origin)
}

const redirectOf = ({ statusCode = 0, headers }: IncomingMessage): string | undefined =>
  [301, 302, 303, 307, 308].includes(statusCode) ? headers.location : undefined

function nextTarget(location: string, from: Target, { bars }: FetchOptions): Target {
  const next = redirectTarget(location, from)
  const bar = bars(next, from)
  if (bar === undefined) return next
  throw webRefusal(
    `${from.origin} redirects to ${next.origin}, and ${bar}`,
    `Fetch ${next.origin} separately if you need it`,
  )
}

/** Header bytes arrive as Latin-1; servers that send UTF-8 mean UTF-8. */
function redirectTarget(location: string, from: Target): Target {
  try {
    return readTarget(Buffer.from(location, 'latin1').toString('utf8'), from.href)
  } catch (cause) {
    if (!(cause instanceof ToolError)) throw cause
    throw webRefusal(`${from.origin} redirects to a refused address: ${cause.message}`)
  }
}

async function answerOf(
  { method, as = 'text', maxBytes = DEFAULT_MAX_BYTES }: FetchRequest,
  target: Target,
  response: IncomingMessage,
  { signal }: TimeLimit,
): Promise<Fetched> {
  const { type, charset } = readContentType(response.headers['content-type'])
  const announcedSize = announcedBytes(response)
  const body = await readBody(response, maxBytes, target.origin, signal)
  const { bytes, truncated, warnings } = body
  const base = {
    url: target.href,
    status: response.statusCode ?? 0,
    headers: response.headers,
    contentType: type,
    bytes: bytes.length,
    truncated,
    ...(announcedSize !== undefined && { announcedBytes: announcedSize }),
  }
  if (method === 'HEAD' || bytes.length === 0) return { ...base, encoding: 'utf-8', content: '', warnings }
  const decodedText = decodeBody(body, type, charset)
  if (!decodedText) {
    if (as === 'raw') return { ...base, encoding: 'base64', content: bytes.toString('base64'), warnings }
    throw new ToolError(
      'binary',
      `${target.origin} gave ${type || 'bytes of no type'} (${bytes.length} bytes), not text`,
      {
        hint: 'Ask for it raw to get it as base64',
        details: { status: base.status, contentType: type, bytes: bytes.length },
      },
    )
  }
  const { text, encoding, warning } = decodedText
  const all = warning === undefined ? warnings : [...warnings, warning]
  if (as === 'raw' || !isHtml(type, text)) return { ...base, encoding, content: text, warnings: all }
  return { ...base, encoding, ...(await htmlToMarkdown(text, target.href)), warnings: all }
}

const isHtml = (type: string, text: string): boolean =>
  type === 'text/html' ||
  type === 'application/xhtml+xml' ||
  (type === '' && /^\s*<(!doctype html|html|head|body)\b/i.test(text))
