import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { WorkerSettings } from '../index/parsing/messages.ts'
import { parserThread } from '../parser/parser-thread.ts'

// V8 takes up to 180 MB to unroll the loops of a grammar, and the code is no faster.
setFlagsFromString('--no-wasm-loop-unrolling')

/** Parses files of a workspace, or single texts: a crash of a parser ends only this process. */
await parserThread(fileURLToPath(import.meta.url), async (settings: Partial<WorkerSettings>, tell) => {
  const { directory, ...more } = settings
  if (directory === undefined) return (await import('./run-job.ts')).runJob
  return (await import('../index/parsing/parse-files.ts')).parseFiles(
    { cacheFile: undefined, ...more, directory },
    tell,
  )
})
