import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio'
import { loadCommandParser } from '../../guards/policy/command-parser.ts'
import { denialRules, isAboutCommands, permissionRules } from '../../guards/policy/permission.ts'
import { ToolError } from '../../kernel/error.ts'
import { createRegistry } from '../../runtime/registry.ts'
import { loadContract, openToolkit, type Toolkit, type ToolkitOptions } from '../../toolkit.ts'
import { firstRoot, offersRoots, onRootsChanged } from './client-roots.ts'
import { directServer, serverIn, type McpServerOptions } from './create-mcp-server.ts'
import { directCalls, type DirectServer } from './direct-calls.ts'
import { lineTransport } from './line-transport.ts'
import { isOurs, mountTools } from './mount-tools.ts'
import { isInSet } from './tool-set.ts'

/** Options to serve a workspace. Toolkit options apply to its sessions. */
export interface ServeOptions extends Omit<ToolkitOptions, 'contract' | 'approve'>, McpServerOptions {
  /** The workspace, regardless of the client; default is the client's first root. */
  readonly root?: string
  /** The workspace if the client has no roots; default is the current directory. */
  readonly otherwiseIn?: () => string
  /** Defaults to the process's standard input and output. Only messages go to the output. */
  readonly input?: Readable
  readonly output?: Writable
  /** Called for errors outside a call, such as a line that is not a message. */
  readonly onError?: (error: Error) => void
}

/** A running server. */
export interface Serving {
  /** Resolves when the connection is over, its calls have ended and the toolkit is closed. */
  readonly over: Promise<void>
  close(): Promise<void>
}

const END_MS = 2000

/** Throws for a permission or a denial that is not understood: a server without it would do more, or less. */
async function ensureGrants({ permissions = [], denials = [] }: ServeOptions): Promise<void> {
  if ([...permissions, ...denials].some(isAboutCommands)) await loadCommandParser()
  permissionRules(permissions)
  denialRules(denials)
}

/**
 * Serves the tools of a workspace to one MCP client over two streams, until the input ends or `close` is called. Opens
 * a given workspace first.
 */
export async function serveStdio(options: ServeOptions = {}): Promise<Serving> {
  const {
    contracts = [],
    approvalMs,
    structured,
    tools: set,
    input = process.stdin,
    output = process.stdout,
    onError,
    root,
    otherwiseIn = () => '.',
    ...rest
  } = options
  const [first] = contracts
  const serverOptions: McpServerOptions = {
    contracts,
    ...(approvalMs !== undefined && { approvalMs }),
    ...(structured && { structured }),
    ...(set && { tools: set }),
  }
  const kits = toolkits({ ...rest, ...(first !== undefined && { contract: first }) })
  // Report invalid options without waiting for a client.
  for (const contract of contracts) await loadContract(contract)
  await ensureGrants(rest)
  if (root !== undefined) await kits.open(root)
  const over = Promise.withResolvers<void>()
  // Callers that do not wait get a failure through `onError`.
  over.promise.catch(() => {})
  let hasRoots = false
  let direct: DirectServer | undefined
  const transport = lineTransport(input, output, {
    onMessage: message => void (hasRoots ||= offersRoots(message)),
    take: message => calls.take(message),
    onOver() {
      calls.end()
      void kits.close().then(over.resolve, over.reject)
    },
  })
  const calls = directCalls({
    serving: () => direct,
    send: answer => transport.send(answer),
    onError: error => onError?.(error),
  })
  const handle = serveConnection(
    async ({ era }) => {
      try {
        const newServer = await serverHere()
        // Later protocols have more in a request than a call.
        if (era === 'legacy') direct = newServer
        return newServer.server
      } catch (error) {
        // Nothing can be served.
        over.reject(error)
        void handle.close()
        throw error
      }
    },
    { transport, ...(onError && { onerror: onError }) },
  )
  return {
    over: over.promise,
    async close() {
      await handle.close()
      await over.promise
    },
  }

  async function serverHere(): Promise<DirectServer> {
    if (root === undefined && hasRoots)
      return serverIn({ root, ours: await expectedTools(), open: openFirstRoot }, serverOptions)
    return directServer(await kits.open(root ?? otherwiseIn()), serverOptions)
  }

  async function openFirstRoot(server: Server) {
    const tell = (message: string): void => onError?.(new Error(message))
    const place = (await firstRoot(server, tell)) ?? otherwiseIn()
    const kit = await kits.open(place)
    onRootsChanged(server, place, tell)
    return { workspace: kit, kit, tools: await mountTools(kit, contracts, set) }
  }

  /** Returns our tools known before the workspace opens; its policy may hide some. */
  async function expectedTools(): Promise<ReadonlySet<string>> {
    if (contracts.length > 0 && !contracts.some(contract => isOurs({ contract }))) return new Set()
    const { tools } = await loadContract('toolwright')
    const registry = createRegistry(tools, { readOnly: rest.readOnly ?? false })
    return new Set(registry.list().flatMap(({ name }) => (isInSet(name, set) ? [name] : [])))
  }
}

interface Toolkits {
  /** Opens the toolkit of a workspace, once. */
  open(path: string): Promise<Toolkit>
  /** Closes all, after their calls. */
  close(): Promise<void>
}

function toolkits(options: Omit<ToolkitOptions, 'root'>): Toolkits {
  const kits = new Map<string, Promise<ReturnType<typeof trackRuns>>>()
  let isOver = false
  return {
    async open(path) {
      if (isOver) throw new ToolError('unavailable', 'The connection is over')
      const opening = kits.get(path) ?? openToolkit({ ...options, root: path, parsersWhenNeeded: true }).then(trackRuns)
      kits.set(path, opening)
      // A later attempt may succeed.
      opening.catch(() => kits.delete(path))
      return (await opening).kit
    },
    async close() {
      isOver = true
      for (const opening of kits.values()) {
        // The request that needed it got the error.
        const runs = await opening.catch(() => undefined)
        // Calls were asked to end; do not wait for one that does not.
        await runs?.settled(END_MS)
        await runs?.kit.close()
      }
    },
  }
}

/** Wraps a toolkit so that its running calls can be awaited. */
function trackRuns(kit: Toolkit): { readonly kit: Toolkit; settled(mostMs: number): Promise<void> } {
  const runs = new Set<Promise<unknown>>()
  return {
    kit: {
      ...kit,
      run(...call) {
        const run = kit.run(...call)
        runs.add(run)
        return run.finally(() => runs.delete(run))
      },
    },
    async settled(mostMs) {
      if (runs.size > 0) await Promise.race([Promise.allSettled(runs), pause(mostMs)])
    },
  }
}
