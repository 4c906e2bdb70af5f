import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { workspaceState } from '../../src/machine/state/directory.ts'
import { serverPlace } from '../../src/machine/state/server-place.ts'
import { openTokens, type Scope, type Tokens } from '../../src/machine/state/tokens.ts'
import type { HttpLimits } from '../../src/surfaces/http/limits.ts'
import { startServer, type HttpServer } from '../../src/surfaces/http/start-server.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { Toolkit } from '../../src/toolkit.ts'

interface Asked {
  readonly token?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export interface ServedTest {
  readonly workspace: TemporaryWorkspace
  readonly kit: Toolkit
  readonly server: HttpServer
  readonly tokens: Tokens
  /** The person's own token. */
  readonly token: string
  /** Makes a token of a client with these scopes. */
  client(...scopes: readonly Scope[]): string
  request(method: string, path: string, asked?: Asked): Promise<Response>
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of any shape
  json(method: string, path: string, asked?: Asked): Promise<any>
  stop(): Promise<void>
}

interface ServedOptions {
  readonly limits?: Partial<HttpLimits>
  /** How long a call waits for an answer; not at all unless given. */
  readonly approvalMs?: number
  /** The user's configuration. */
  readonly config?: object
  /** Called before the workspace is opened. */
  readonly prepare?: (workspace: TemporaryWorkspace) => void
}

/** A configuration in which nothing is asked. */
export const ALLOWING = { policy: { defaults: { create: 'allow', write: 'allow', exec: 'allow' } } }

/** Serves a workspace with these files in this process. */
export async function serveTest(
  files: Readonly<Record<string, string>> = {},
  { limits, config, prepare, approvalMs = 0 }: ServedOptions = {},
): Promise<ServedTest> {
  const workspace = temporaryWorkspace(files)
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ effects: { mode: 'off' }, ...config }))
  prepare?.(workspace)
  const kit = await workspace.open()
  const place = serverPlace(workspaceState(workspace.path, workspace.env).path)
  const tokens = openTokens(place)
  const server = await startServer({
    kits: [kit],
    env: workspace.env,
    config: undefined,
    approvalMs,
    tokens,
    port: 0,
    pageSessions: place.pages,
    onError: error => {
      throw error
    },
    ...(limits && { limits }),
  })
  const token = readFileSync(place.token, 'utf8').trim()
  let made = 0
  const request: ServedTest['request'] = (method, path, { token: own = token, body, headers = {}, signal } = {}) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(own !== '' && { authorization: `Bearer ${own}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  return {
    workspace,
    kit,
    server,
    tokens,
    token,
    client: (...scopes) => tokens.add(`client-${++made}`, scopes, new Date().toISOString()),
    request,
    json: async (...asked) => (await request(...asked)).json(),
    async stop() {
      await server.stop()
      await workspace.remove()
    },
  }
}

/** A served workspace for each test of a file. */
export function useServer(
  files: Readonly<Record<string, string>> = {},
  options: ServedOptions = {},
): { readonly current: ServedTest } {
  let current: ServedTest
  beforeEach(async () => {
    current = await serveTest(files, options)
  })
  afterEach(() => current.stop())
  return {
    get current() {
      return current
    },
  }
}
