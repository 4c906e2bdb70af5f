import { several, workspace } from '../state/workspace.ts'
import { sessionToken } from './session.ts'

/** A request that was not carried out, in the server's words. */
export class Refused extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, error: { readonly code?: string; readonly message?: string; readonly hint?: string }) {
    super([error.message ?? `The server answered ${status}`, error.hint].filter(Boolean).join('. '))
    this.status = status
    this.code = error.code ?? ''
  }
}

interface Sent {
  readonly body?: object
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends one request with the token of this tab. Throws `Refused` for every status but 200. */
export async function send(method: string, path: string, { body, signal, headers }: Sent = {}): Promise<Response> {
  const token = sessionToken()
  const response = await fetch(path, {
    method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  })
  if (response.ok) return response
  const answer: unknown = await response.json().catch(() => ({}))
  throw new Refused(response.status, Object(Object(answer).error))
}

type Query = Readonly<Record<string, string | number | undefined>>

/** Reads something of the workspace that is shown. */
export async function read<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const response = await send('GET', withQuery(path, query), signal ? { signal } : {})
  return response.json()
}

/** Does something in the workspace that is shown. */
export async function act<T>(path: string, body: object = {}, signal?: AbortSignal): Promise<T> {
  const response = await send('POST', path, { body: { ...inWorkspace(), ...body }, ...(signal && { signal }) })
  return response.json()
}

export async function remove<T>(path: string, query: Query = {}): Promise<T> {
  const response = await send('DELETE', withQuery(path, query))
  return response.json()
}

/** Returns the path with its query, and with the workspace if several are served. */
export function withQuery(path: string, query: Query = {}): string {
  const values = Object.entries({ ...inWorkspace(), ...query }).filter(([, value]) => value !== undefined)
  const text = new URLSearchParams(values.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? path : `${path}?${text}`
}

const inWorkspace = (): { readonly workspace?: string } => (several.value ? { workspace: workspace.value } : {})

/** Returns what went wrong, in words. */
export const wordsOf = (error: unknown): string =>
  error instanceof Refused
    ? error.message
    : error instanceof TypeError
      ? 'The server does not answer. Nothing was done'
      : String(error)
