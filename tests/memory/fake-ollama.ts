import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { wordEmbedder } from './word-embedder.ts'

export interface FakeOllama extends AsyncDisposable {
  readonly url: string
  /** For the configuration of a workspace. */
  readonly memory: { readonly embedder: { readonly ollama: { readonly url: string; readonly model: string } } }
}

/** An embedder that answers as Ollama does, by words and at once: a model takes a second to load in each process. */
export async function fakeOllama(): Promise<FakeOllama> {
  const { embed } = wordEmbedder()
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { input } = JSON.parse(Buffer.concat(chunks).toString())
    const vectors = await embed(input, new AbortController().signal)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ embeddings: vectors.map(vector => [...vector]) }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    memory: { embedder: { ollama: { url, model: 'words' } } },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
