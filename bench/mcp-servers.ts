import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** What a client sees of one answer. */
export interface Answer {
  /** All that is sent. */
  readonly result: unknown
  /** What a model reads of it. */
  readonly text: string
  readonly isError: boolean
}

/** An MCP server on its standard input and output, asked one call after another. */
export interface StdioServer extends AsyncDisposable {
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Answer>
  /** The tools as they are listed, all pages. */
  tools(): Promise<readonly object[]>
  /** The processor time of the server so far, with that of its ended children; the kernel counts hundredths of a second. */
  processorMs(): number
}

export interface Starting {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  /** The client that the server takes us for. */
  readonly client?: { readonly name: string; readonly version: string }
}

/** Starts a server with this node. */
export async function stdioServer(
  program: string,
  args: readonly string[],
  { env, cwd, client = { name: 'bench', version: '1' } }: Starting = {},
): Promise<StdioServer> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: env ?? process.env,
    ...(cwd !== undefined && { cwd }),
  })
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let next = 1
  createInterface({ input: child.stdout }).on('line', line => {
    const { id, result, error } = JSON.parse(line)
    const one = waiting.get(id)
    waiting.delete(id)
    if (error) one?.reject(new Error(`${program} answered ${JSON.stringify(error)}`))
    else one?.resolve(result)
  })
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = next++
      waiting.set(id, { resolve, reject })
      send({ id, method, params })
    })
  await request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: client,
  })
  send({ method: 'notifications/initialized' })
  return {
    async call(name, given) {
      const result = await request('tools/call', { name, arguments: given })
      const { content, isError = false } = Object(result)
      const texts = Array.isArray(content) ? content.map(({ text }) => (typeof text === 'string' ? text : '')) : []
      return { result, text: texts.join('\n'), isError }
    },
    async tools() {
      const all: object[] = []
      for (let cursor: unknown; ;) {
        const { tools, nextCursor } = Object(await request('tools/list', cursor === undefined ? {} : { cursor }))
        all.push(...tools)
        cursor = nextCursor
        if (cursor === undefined) return all
      }
    },
    processorMs: () => processorMs(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      const ended = new Promise(resolve => child.on('close', resolve))
      child.kill()
      await ended
    },
  }
}

/** User and system time of a process and of its ended children. */
function processorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  // The second field may hold blanks; the times are the 14th to the 17th.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
  return ticks.reduce((sum, each) => sum + Number(each) * 10, 0)
}
