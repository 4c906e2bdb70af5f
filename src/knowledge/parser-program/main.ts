import { fileURLToPath } from 'node:url'
import type { WorkerSettings } from '../index/parsing/messages.ts'
import { parserThread } from '../parser/parser-thread.ts'

/** Parses files of a workspace, or single texts: a crash of a parser ends only this process. */
void parserThread(fileURLToPath(import.meta.url), async (settings: Partial<WorkerSettings>, tell) => {
  const { directory, ...more } = settings
  if (directory === undefined) return { answer: (await import('./run-job.ts')).runJob }
  return (await import('../index/parsing/parse-files.ts')).parseFiles(
    { cacheFile: undefined, ...more, directory },
    tell,
  )
})
