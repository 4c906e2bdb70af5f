import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PROGRAM = join(import.meta.dirname, '../../tools/chroma/node_modules/chromadb/dist/cli.mjs')
const READY_MS = 30_000

export interface ChromaServer extends AsyncDisposable {
  readonly url: string
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Starts it again on the same data and port. */
  restart(): Promise<void>
}

/** Starts a real ChromaDB on this machine. It ends with its test, however that ends. */
export async function startChroma(): Promise<ChromaServer> {
  const data = mkdtempSync(join(tmpdir(), 'toolwright-chroma-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let running = await started(data, port, url)
  const kill = async (): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return
    const ended = once(running, 'exit')
    running.stdin?.end()
    await ended
  }
  return {
    url,
    kill,
    async restart() {
      await kill()
      running = await started(data, port, url)
    },
    async [Symbol.asyncDispose]() {
      await kill()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

/** The shell kills the server when our end of the pipe closes, which a crash of ours does too. */
async function started(data: string, port: number, url: string): Promise<ChildProcess> {
  const line =
    '"$0" "$1" run --path "$2" --port "$3" --host 127.0.0.1 </dev/null >/dev/null 2>&1 & cat >/dev/null; kill -9 $!; wait'
  const child = spawn('sh', ['-c', line, process.execPath, PROGRAM, data, String(port)], {
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const until = Date.now() + READY_MS
  while (Date.now() < until) {
    const isReady = await fetch(`${url}/api/v2/heartbeat`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return child
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  child.stdin?.end()
  throw new Error('ChromaDB did not start; npm test installs it into tools/chroma')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
