import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import { jsonLine } from '../../kernel/json-line.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Caller, Tokens } from '../../machine/state/tokens.ts'
import type { HttpLimits } from './limits.ts'
import type { PageSessions } from './page-sessions.ts'
import { readBody } from './read-body.ts'
import { JSON_HEADERS, refuse, refuseFor } from './refusal.ts'
import type { Route, RouteRequest } from './route.ts'
import type { InFlight } from './in-flight.ts'
import type { Workspaces } from './workspaces.ts'

/** What every request of a server shares. */
export interface Served {
  readonly workspaces: Workspaces
  readonly pages: PageSessions
  readonly tokens: Pick<Tokens, 'callerOf'>
  readonly limits: HttpLimits
  readonly inFlight: InFlight
  /** Whether answers are matched with their schemas: in tests. */
  readonly checksAnswers: boolean
  /** Called for a defect, whose text the client does not get. */
  readonly onError: (error: unknown) => void
}

interface Incoming {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  readonly params: Readonly<Record<string, string>>
  readonly query: () => Readonly<Record<string, string>>
}

/** Answers one request of a route: token, scope, body, schemas, and then the route itself. */
export async function answerRequest(services: Served, route: Route, request: Incoming): Promise<Response> {
  const { incoming, outgoing } = request
  const caller = route.scope === 'none' ? NOBODY : callerOf(services, incoming)
  if (caller instanceof Response) return caller
  if (route.scope !== 'none' && !caller.scopes.includes(route.scope))
    return refuse(403, {
      code: 'wrong_scope',
      message: `The token '${caller.name}' has no scope '${route.scope}'`,
      hint: `Make one that has: toolwright token new --name NAME --scope ${[...caller.scopes, route.scope].join(',')}`,
    })
  const requestBody =
    route.method === 'POST' ? await readBody(incoming, services.limits.bodyBytes) : { value: undefined }
  if (requestBody instanceof Response) return requestBody
  try {
    const input = {
      params: validatePart(route.params, request.params, 'The path'),
      query: validatePart(route.query, request.query(), 'The query'),
      body: validatePart(route.body, requestBody.value ?? (route.isBodyOptional ? {} : undefined), 'The body'),
    }
    const isEndless = route.events === 'always'
    return await services.inFlight.run({ outgoing, isEndless }, signal =>
      answer(services, route, { ...input, caller, incoming, signal }),
    )
  } catch (error) {
    if (error instanceof ToolError) return refuseFor(error)
    services.onError(error)
    return refuse(500, { code: 'internal', message: 'This is a defect of the server; its output says more' })
  }
}

const NOBODY: Caller = { id: '', name: 'nobody', scopes: [] }

type Matched = Pick<RouteRequest, 'params' | 'query' | 'body' | 'caller' | 'signal'> & {
  readonly incoming: IncomingMessage
}

async function answer(
  { workspaces, pages, checksAnswers }: Served,
  route: Route,
  { incoming, ...matchedInput }: Matched,
): Promise<Response> {
  const { accept = '', 'last-event-id': last } = incoming.headers
  const name: unknown = Object(matchedInput.body).workspace ?? Object(matchedInput.query).workspace
  const result: unknown = await route.run({
    ...matchedInput,
    workspaces,
    pages,
    workspace: () => workspaces.named(typeof name === 'string' ? name : undefined),
    wantsEvents: route.events === 'always' || (route.events === 'accepted' && /\btext\/event-stream\b/i.test(accept)),
    lastEventId: typeof last === 'string' ? last : undefined,
  })
  if (result instanceof Response) return result
  if (checksAnswers) route.answer.parse(result)
  return new Response(`${jsonLine(result)}\n`, { headers: JSON_HEADERS })
}

/** Returns who sends a request, or the refusal of its token. */
export function callerOf({ tokens, pages }: Served, { rawHeaders, headers }: IncomingMessage): Caller | Response {
  const [, token] = /^Bearer +([\w.~+/=-]{1,256})$/i.exec(headers.authorization ?? '') ?? []
  // Of two headers Node would take the first, and a proxy perhaps the second.
  const isOnce = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization').length === 1
  const caller = token === undefined || !isOnce ? undefined : (pages.callerOf(token) ?? tokens.callerOf(token))
  return (
    caller ??
    refuse(
      401,
      {
        code: 'wrong_token',
        message: token === undefined ? 'A token is needed' : 'This token is not known here, or was revoked',
        hint: 'Send "Authorization: Bearer TOKEN"; toolwright token new makes one',
      },
      { 'WWW-Authenticate': 'Bearer' },
    )
  )
}

function validatePart(schema: z.ZodObject | undefined, value: unknown, what: string): unknown {
  if (!schema) return undefined
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const issueTexts = error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  )
  throw new ToolError('invalid_input', `${what} is wrong: ${issueTexts.join('; ')}`, {
    hint: 'GET /v1/openapi.json describes every route',
  })
}
