import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { devdocsSections } from './devdocs-sections.ts'
import type { Indexed, IndexJob } from './indexer.ts'
import { indexPart } from './installed/index-part.ts'
import { openSectionStore, type SectionStore } from './section-store.ts'

const stores = new Map<string, SectionStore | undefined>()

parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: IndexJob }) => {
  let result: Indexed | undefined
  let error: string | undefined
  try {
    result = perform(job)
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause)
  }
  parentPort?.postMessage({ id, result, error }, [])
})

function perform(job: IndexJob): Indexed {
  const store = stores.get(job.store) ?? openSectionStore(job.store)
  stores.set(job.store, store)
  if (!store) throw new Error('the index cannot be opened')
  if (job.kind === 'files') return indexPart(store, job)
  if (job.kind === 'finish') store.finish(job.package)
  else storePages(store, job)
  return 'done'
}

function storePages(store: SectionStore, job: Extract<IndexJob, { kind: 'devdocs' }>): void {
  const [index, pages] = [job.index, job.pages].map(file => JSON.parse(readFileSync(file, 'utf8')))
  store.replace(job.package, devdocsSections(index, pages))
}
