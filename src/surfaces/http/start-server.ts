import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { Tokens } from '../../machine/state/tokens.ts'
import { answerRequest, type Served } from './answer-request.ts'
import { checkOrigin } from './check-request.ts'
import { trackRequests } from './in-flight.ts'
import { LIMITS, type HttpLimits } from './limits.ts'
import { answerMcp } from './mcp/answer-mcp.ts'
import { createMcpEndpoint, type OpenClient } from './mcp/endpoint.ts'
import { openMcpClient } from './mcp/open-client.ts'
import { createPageSessions } from './page-sessions.ts'
import { answerPage, CONSOLE_PAGES, consoleFiles, referencePage } from './pages.ts'
import { refuse } from './refusal.ts'
import { ROUTES } from './routes/table.ts'
import { openWorkspaces, type WorkspacesOptions } from './workspaces.ts'

/** The toolkits stay open when the server stops. */
interface HttpServerOptions extends WorkspacesOptions {
  readonly tokens: Tokens
  /** Zero for any free port. */
  readonly port: number
  readonly limits?: Partial<HttpLimits>
  /** The file in which sessions of the console outlive the server. */
  readonly pageSessions?: string
  /** What MCP clients get; the tools of our own contract by default. */
  readonly openMcpClient?: OpenClient
  readonly onError: (error: unknown) => void
}

/** A server that listens. */
export interface HttpServer {
  readonly port: number
  readonly url: string
  /** Returns the address of the page, which opens it once. */
  newLink(): string
  /** How many requests are being answered. */
  inFlight(): number
  /** Takes no new requests, and ends when those in flight have been answered. */
  stop(): Promise<void>
}

type Bindings = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }

/** Serves workspaces on loopback. Throws what the system says if the port is taken. */
export async function startServer(options: HttpServerOptions): Promise<HttpServer> {
  const { tokens, onError } = options
  const limits = { ...LIMITS, ...options.limits }
  const inFlight = trackRequests()
  const pages = createPageSessions({ file: options.pageSessions })
  const services: Served = {
    workspaces: openWorkspaces(options),
    pages,
    tokens,
    limits,
    inFlight,
    checksAnswers: options.env['TOOLWRIGHT_CHECK_ANSWERS'] === '1',
    onError,
  }
  const endpoint = createMcpEndpoint({ open: options.openMcpClient ?? openMcpClient, limits, onError })
  const app = new Hono<{ Bindings: Bindings }>()
  for (const route of ROUTES)
    app.on(route.method, route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (context: Context<{ Bindings: Bindings }>) =>
      answerRequest(services, route, {
        ...context.env,
        params: context.req.param(),
        query: () => context.req.query(),
      }),
    )
  const files = await consoleFiles()
  for (const [path, file] of files) app.get(path, () => answerPage(file))
  const start = files.get('/')
  if (start) for (const page of CONSOLE_PAGES) app.on('GET', [`/${page}`, `/${page}/*`], () => answerPage(start))
  const reference = await referencePage(ROUTES)
  app.get('/reference', () => answerPage(reference))
  app.all('/mcp', ({ env }) => answerMcp(services, endpoint, env))
  // A client without a token asks here how to get one, and reports the last answer that it got.
  for (const path of ['/.well-known/*', '/register'])
    app.all(
      path,
      () => new Response('There is no such page. Tokens are made by: toolwright token new\n', { status: 404 }),
    )
  app.notFound(({ req }) => refuse(404, { code: 'not_found', message: `There is no ${req.method} ${req.path}` }))
  app.onError(error => {
    onError(error)
    return refuse(500, { code: 'internal', message: 'This is a defect of the server; its output says more' })
  })
  let port = options.port
  const server = createAdaptorServer({
    fetch: (request, env) => checkOrigin(env.incoming as IncomingMessage, port) ?? app.fetch(request, env),
    serverOptions: {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.idleMs,
      // A short time would otherwise end late.
      connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    },
  }) as Server
  server.maxConnections = limits.connections
  port = await listen(server, port)
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    newLink: () => `http://127.0.0.1:${port}/#once=${pages.newCode()}`,
    inFlight: inFlight.count,
    async stop() {
      const whenClosed = new Promise(resolve => server.close(resolve))
      server.closeIdleConnections()
      await inFlight.finish(limits.stopMs)
      await endpoint.close()
      server.closeAllConnections()
      await whenClosed
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  server.once('error', reject)
  server.listen(port, '127.0.0.1', () => {
    server.off('error', reject)
    const address = server.address()
    resolve(typeof address === 'object' && address ? address.port : port)
  })
  return promise
}
