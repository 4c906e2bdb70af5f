import { parentPort, workerData, type MessagePort } from 'node:worker_threads'
import type { FromBuilder, ToBuilder, ToSearcher } from './messages.ts'
import { fileReader } from './read-file-text.ts'

// Entry point of an index thread: it either keeps segments or searches them.
const { role, directory } = workerData as { readonly role: 'build' | 'search'; readonly directory: string }
if (!parentPort) throw new Error('This runs as a thread of the search index')
void (role === 'search' ? search(parentPort) : build(parentPort))

async function search(port: MessagePort): Promise<void> {
  const { searchThread } = await import('./search-thread.ts')
  const take = searchThread(fileReader(directory), message => port.postMessage(message, []))
  port.on('message', (message: ToSearcher) => take(message))
}

async function build(port: MessagePort): Promise<void> {
  const { segmentThread } = await import('./segment-thread.ts')
  const answer = segmentThread(fileReader(directory))
  port.on('message', (message: ToBuilder) => {
    let reply: FromBuilder
    try {
      reply = { id: message.id, answer: answer(message) }
    } catch (error) {
      reply = { id: message.id, answer: undefined, failed: error instanceof Error ? error.message : String(error) }
    }
    port.postMessage(reply, [])
  })
}
