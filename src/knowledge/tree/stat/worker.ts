import { parentPort } from 'node:worker_threads'
import { statNextBatch, type StatRun } from './stat-run.ts'

export type StatMessage = { readonly paths: string } | { readonly round: StatRun }

// A thread that looks at files, batch by batch.
let paths: readonly string[] = []
parentPort?.on('message', (message: StatMessage) => {
  if ('paths' in message) paths = message.paths === '' ? [] : message.paths.split('\0')
  else while (statNextBatch(paths, message.round));
})
