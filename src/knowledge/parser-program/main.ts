import { fileURLToPath } from 'node:url'
import { parserThread } from '../parser/parser-thread.ts'

/** Parses single texts for whoever asks: a file that crashes a parser ends this process alone. */
await parserThread(fileURLToPath(import.meta.url), async () => {
  const { runJob } = await import('./run-job.ts')
  return () => runJob
})
