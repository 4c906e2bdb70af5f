import { parentPort, workerData } from 'node:worker_threads'
import type { FromBuilder, ToBuilder, ToSearcher } from './messages.ts'
import { fileReader } from './read-file-text.ts'

// Entry point of an index thread: it either keeps segments or searches them.
const port = parentPort
if (!port) throw new Error('This runs as a thread of the search index')
const { role, directory } = workerData as { readonly role: 'build' | 'search'; readonly directory: string }
const reader = fileReader(directory)

if (role === 'search') {
  const { searchThread } = await import('./search-thread.ts')
  const take = searchThread(reader, message => port.postMessage(message, []))
  port.on('message', (message: ToSearcher) => take(message))
} else {
  const { segmentThread } = await import('./segment-thread.ts')
  const answer = segmentThread(reader)
  port.on('message', (message: ToBuilder) => {
    let said: FromBuilder
    try {
      said = { id: message.id, answer: answer(message) }
    } catch (error) {
      said = { id: message.id, answer: undefined, failed: error instanceof Error ? error.message : String(error) }
    }
    port.postMessage(said, [])
  })
}
