import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio'
import type { Readable, Writable } from 'node:stream'
import { openToolkit, type ToolkitOptions } from '../../toolkit.ts'
import { createMcpServer, type McpServerOptions } from './create-mcp-server.ts'
import { lineTransport } from './line-transport.ts'
import { trackRuns } from './track-runs.ts'

/** How to serve a workspace; the options of a toolkit are those of its sessions. */
export interface ServeOptions extends Omit<ToolkitOptions, 'contract' | 'approve'>, McpServerOptions {
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

/** Opens a workspace and serves its tools to one MCP client over two streams, until the input ends or `close` is called. */
export async function serveStdio(options: ServeOptions = {}): Promise<Serving> {
  const {
    contracts = [],
    approvalMs,
    structured,
    profile,
    input = process.stdin,
    output = process.stdout,
    onError,
    ...rest
  } = options
  const [first] = contracts
  const kit = await openToolkit({ ...rest, ...(first !== undefined && { contract: first }) })
  const runs = trackRuns(kit)
  const over = Promise.withResolvers<void>()
  const onOver = () => {
    // Calls were told to end; one that does not is left behind.
    runs
      .settled(END_MS)
      .then(() => kit.close())
      .then(over.resolve, over.reject)
  }
  const handle = serveConnection(
    () =>
      createMcpServer(runs.kit, {
        contracts,
        ...(approvalMs !== undefined && { approvalMs }),
        ...(structured && { structured }),
        ...(profile && { profile }),
      }),
    { transport: lineTransport(input, output, { onOver }), ...(onError && { onerror: onError }) },
  )
  return {
    over: over.promise,
    async close() {
      await handle.close()
      await over.promise
    },
  }
}
