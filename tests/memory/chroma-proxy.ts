import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ProxiedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface ChromaProxy extends AsyncDisposable {
  readonly url: string
  /** Sees each request once the server has carried it out. What it throws cuts the connection instead of answering. */
  watch: (request: ProxiedRequest) => Promise<void> | void
}

/** Passes requests on to a server, so that a test can act between two of them. */
export async function startProxy(target: string): Promise<ChromaProxy> {
  const server = createServer((request, response) => {
    const passOn = async (): Promise<void> => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const { method = 'GET', url: path = '' } = request
      const body = Buffer.concat(chunks).toString()
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${target}${path}`, { method, headers, ...(body !== '' && { body }) })
      const text = await answer.text()
      await proxy.watch({ method, path, body })
      response.writeHead(answer.status, headers).end(text)
    }
    passOn().catch(() => request.socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: ChromaProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    watch: () => {},
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}
