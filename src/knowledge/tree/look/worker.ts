import { parentPort } from 'node:worker_threads'
import { lookOn, type LookRound } from './look-round.ts'

export type ToLooker = { readonly paths: string } | { readonly round: LookRound }

// A thread that looks at files, batch by batch.
let paths: readonly string[] = []
parentPort?.on('message', (message: ToLooker) => {
  if ('paths' in message) paths = message.paths === '' ? [] : message.paths.split('\0')
  else while (lookOn(paths, message.round));
})
