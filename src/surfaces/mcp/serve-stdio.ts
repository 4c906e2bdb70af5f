import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio'
import { createRegistry } from '../../runtime/registry.ts'
import { loadContract, openToolkit, type Toolkit, type ToolkitOptions } from '../../toolkit.ts'
import { firstRoot, offersRoots, onRootsChanged } from './client-roots.ts'
import { createMcpServer, serverIn, type McpServerOptions } from './create-mcp-server.ts'
import { lineTransport } from './line-transport.ts'
import { isOurs, mountTools } from './mount-tools.ts'
import { isInProfile } from './profile.ts'

/** How to serve a workspace; the options of a toolkit are those of its sessions. */
export interface ServeOptions extends Omit<ToolkitOptions, 'contract' | 'approve'>, McpServerOptions {
  /** The workspace, whatever the client says; without it the first root of the client. */
  readonly root?: string
  /** The workspace where the client has no roots; the current directory unless given. */
  readonly otherwiseIn?: () => string
  /** Standard input and output of this process unless given; nothing but messages goes to the output. */
  readonly input?: Readable
  readonly output?: Writable
  /** Hears of what goes wrong outside of a call, such as a line that is no message. */
  readonly onError?: (error: Error) => void
}

/** A server that runs. */
export interface Serving {
  /** The connection is over, its calls have ended and the toolkit is closed. */
  readonly over: Promise<void>
  close(): Promise<void>
}

const END_MS = 2000

/**
 * Serves the tools of a workspace to one MCP client over two streams, until the input ends or `close` is called. A
 * workspace that is given is opened first.
 */
export async function serveStdio(options: ServeOptions = {}): Promise<Serving> {
  const {
    contracts = [],
    approvalMs,
    structured,
    profile,
    input = process.stdin,
    output = process.stdout,
    onError,
    root,
    otherwiseIn = () => '.',
    ...rest
  } = options
  const [first] = contracts
  const wishes: McpServerOptions = {
    contracts,
    ...(approvalMs !== undefined && { approvalMs }),
    ...(structured && { structured }),
    ...(profile && { profile }),
  }
  const kits = new Map<string, Promise<ReturnType<typeof trackRuns>>>()
  const kitIn = async (path: string): Promise<Toolkit> => {
    const opening =
      kits.get(path) ??
      openToolkit({ ...rest, root: path, ...(first !== undefined && { contract: first }) }).then(trackRuns)
    kits.set(path, opening)
    // One that cannot be opened now may be mended.
    opening.catch(() => kits.delete(path))
    return (await opening).kit
  }
  // What is wrong with the options is said without waiting for a client.
  for (const contract of contracts) await loadContract(contract)
  if (root !== undefined) await kitIn(root)
  const over = Promise.withResolvers<void>()
  // Whoever does not wait for it hears of a failure by `onError`.
  over.promise.catch(() => {})
  let hasRoots = false
  const handle = serveConnection(
    async () => {
      if (root === undefined && hasRoots)
        return serverIn({ root, ours: await expectedTools(), open: openFirstRoot }, wishes)
      try {
        return await createMcpServer(await kitIn(root ?? otherwiseIn()), wishes)
      } catch (error) {
        // Nothing can be served, whatever the client asks for.
        over.reject(error)
        void handle.close()
        throw error
      }
    },
    {
      transport: lineTransport(input, output, {
        onMessage: message => void (hasRoots ||= offersRoots(message)),
        onOver: () => void closeAll().then(over.resolve, over.reject),
      }),
      ...(onError && { onerror: onError }),
    },
  )
  return {
    over: over.promise,
    async close() {
      await handle.close()
      await over.promise
    },
  }

  async function openFirstRoot(server: Server) {
    const tell = (message: string): void => onError?.(new Error(message))
    const place = (await firstRoot(server, tell)) ?? otherwiseIn()
    const kit = await kitIn(place)
    onRootsChanged(server, place, tell)
    return { kit, tools: await mountTools(kit, contracts, profile) }
  }

  /** Our tools as far as they are known before the workspace is, whose policy may hide some. */
  async function expectedTools(): Promise<ReadonlySet<string>> {
    if (contracts.length > 0 && !contracts.some(contract => isOurs({ contract }))) return new Set()
    const { tools } = await loadContract('toolwright')
    const registry = createRegistry(tools, { readOnly: rest.readOnly ?? false })
    return new Set(registry.list().flatMap(({ name }) => (isInProfile(name, profile) ? [name] : [])))
  }

  async function closeAll(): Promise<void> {
    for (const opening of kits.values()) {
      // Whoever wanted it was told why it could not be opened.
      const runs = await opening.catch(() => undefined)
      // Calls were told to end; one that does not is left behind.
      await runs?.settled(END_MS)
      await runs?.kit.close()
    }
  }
}

/** A toolkit whose running calls can be waited for. */
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
