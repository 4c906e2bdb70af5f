import { parentPort, workerData } from 'node:worker_threads'
import { factsOf } from '../facts/facts-of.ts'
import { hashOf } from '../../workspace/disk.ts'
import type { KeptFacts } from '../table/entry.ts'
import { keptFacts } from '../table/kept-facts.ts'
import { endingOf, openFactsCache } from './facts-cache.ts'
import type { FromWorker, Parsed, ToWorker, Wanted, WorkerSettings } from './messages.ts'
import { readSource } from './read-source.ts'

const { directory, cacheFile }: WorkerSettings = workerData
const cache = cacheFile === undefined ? undefined : openFactsCache(cacheFile)
const KEPT_AT_ONCE = 500
let kept: IterableIterator<Parsed> | undefined

const answer = (message: FromWorker) => parentPort?.postMessage(message, [])
let last: Promise<void> = Promise.resolve()
parentPort?.on('message', (message: ToWorker) => {
  last = last.then(() => work(message))
})

async function work(message: ToWorker): Promise<void> {
  if (message.type === 'load') load()
  else if (message.type === 'prune') cache?.prune(message.paths)
  else await parse(message.files)
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
  const settled: Parsed[] = []
  for (const { path, stamp } of wanted) {
    const source = readSource(directory, path)
    if (!source) {
      files.push({ path, stamp })
      continue
    }
    const content = hashOf(source.bytes)
    const facts = await known(path, content, source.bytes)
    const parsed = { path, stamp, content, ...(facts && { facts }) }
    files.push(parsed)
    if (source.isSettled) settled.push(parsed)
  }
  answer({ type: 'parsed', files })
  cache?.keep(settled)
}

async function known(path: string, content: string, bytes: Buffer): Promise<KeptFacts | undefined> {
  const before = cache?.facts(content, endingOf(path))
  if (before !== undefined) return before === 'none' ? undefined : before
  const facts = await factsOf(path, bytes)
  return facts && keptFacts(facts)
}
