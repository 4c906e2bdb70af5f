import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { hashOf } from '../../workspace/disk.ts'
import { saidBy } from '../said-by.ts'
import { endingOf, openFactsCache } from './facts-cache.ts'
import type { FromWorker, Parsed, ToWorker, Wanted, WorkerData } from './messages.ts'
import { readSource } from './read-source.ts'

const PATIENT = 10

const { directory, cacheFile, isPatient, progress }: WorkerData = workerData
// There it is the priority of the calling thread, elsewhere of the whole process.
if (isPatient && process.platform === 'linux') setPriority(PATIENT)
const cache = cacheFile === undefined ? undefined : openFactsCache(cacheFile)
const KEPT_AT_ONCE = 2000
/** What is parsed is kept when there is nothing better to do, but not without end. */
const MOST_UNKEPT = 20_000
const KEPT_IN_ONE = 500
const unkept: Parsed[] = []
let kept: IterableIterator<Parsed> | undefined

const answer = (message: FromWorker) => parentPort?.postMessage(message, [])
let last: Promise<void> = Promise.resolve()
parentPort?.on('message', (message: ToWorker) => {
  last = last.then(() => work(message))
})

async function work(message: ToWorker): Promise<void> {
  if (message.type === 'load') return load()
  if (message.type === 'parse') return parse(message.files)
  if (message.type === 'keep') keep()
  else cache?.prune(message.paths)
  answer({ type: 'done' })
}

function keep(): void {
  if (!cache) return
  // In pieces, so that threads take turns and an early end leaves what is there.
  while (unkept.length > 0) {
    cache.keep(unkept.splice(0, KEPT_IN_ONE))
    Atomics.add(progress, 0, 1)
  }
}

function load(): void {
  const files: Parsed[] = []
  try {
    kept ??= cache?.files()
    while (files.length < KEPT_AT_ONCE) {
      const next = kept?.next()
      if (!next || next.done) return answer({ type: 'kept', files, isLast: true })
      files.push(next.value)
    }
    answer({ type: 'kept', files, isLast: false })
  } catch {
    // What cannot be read is parsed anew.
    answer({ type: 'kept', files, isLast: true })
  }
}

async function parse(wanted: readonly Wanted[]): Promise<void> {
  const files: Parsed[] = []
  for (const [at, { path, stamp }] of wanted.entries()) {
    Atomics.store(progress, 0, at)
    const source = readSource(directory, path)
    if (!source) {
      files.push({ path, stamp })
      continue
    }
    const content = hashOf(source.bytes)
    const said = cache?.said(content, endingOf(path)) ?? (await saidBy(path, source.bytes))
    const parsed = { path, stamp, content, ...said }
    files.push(parsed)
    if (cache && source.isSettled) unkept.push(parsed)
  }
  answer({ type: 'parsed', files })
  if (unkept.length >= MOST_UNKEPT) keep()
}
