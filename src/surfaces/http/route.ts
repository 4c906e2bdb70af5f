import type { z } from 'zod'
import type { Caller, Scope } from '../../machine/state/tokens.ts'
import type { PageSessions } from './page-sessions.ts'
import type { ServedWorkspace } from './served-workspace.ts'
import type { Workspaces } from './workspaces.ts'

/** One request of a route, read and matched with the route's schemas. */
export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly workspaces: Workspaces
  readonly pages: PageSessions
  /** The workspace that the request names, or the only one. Throws if there are several and it names none. */
  workspace(): ServedWorkspace
  /** Aborted if the client leaves, or if the server cannot wait longer for the end. */
  readonly signal: AbortSignal
  /** The client wants events as they come. */
  readonly wantsEvents: boolean
  readonly lastEventId: string | undefined
}

/** One route: what the router matches, and what the OpenAPI document says. */
export interface Route {
  /** Its name in clients that are generated from the document. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Parameters in braces, as in OpenAPI. */
  readonly path: string
  readonly about: string
  /** What the caller's token must have; `none` if the request brings its own proof. */
  readonly scope: Scope | 'none'
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** Set if every field of the body has a default, so that a request may leave it out. */
  readonly isBodyOptional?: true
  readonly answer: z.ZodType
  /** Whether it answers with events: always, or if the client accepts them. */
  readonly events?: 'always' | 'accepted'
  /** Returns the answer as JSON, or a response of its own. */
  run(request: RouteRequest): unknown
}

type Of<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** A route as it is written: its request has the types of its schemas. */
interface TypedRoute<Params, Query, Body> extends Omit<Route, 'params' | 'query' | 'body' | 'run'> {
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  run(request: RouteRequest<Of<Params>, Of<Query>, Of<Body>>): unknown
}

/** Declares a route. The router has matched a request with these schemas before the route runs. */
export const defineRoute = <
  Params extends z.ZodObject | undefined = undefined,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodObject | undefined = undefined,
>(
  route: TypedRoute<Params, Query, Body>,
): Route => route as Route
