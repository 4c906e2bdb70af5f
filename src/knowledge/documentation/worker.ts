import { readFileSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { devdocsSections } from './devdocs-sections.ts'
import type { IndexJob } from './indexer.ts'
import { readSections } from './installed/read-sections.ts'
import { openSectionStore, type SectionStore } from './section-store.ts'

const stores = new Map<string, SectionStore | undefined>()

parentPort?.on('message', ({ id, job }: { readonly id: number; readonly job: IndexJob }) => {
  let error: string | undefined
  try {
    perform(job)
  } catch (cause) {
    error = cause instanceof Error ? cause.message : String(cause)
  }
  parentPort?.postMessage({ id, error }, [])
})

function perform(job: IndexJob): void {
  const store = stores.get(job.store) ?? openSectionStore(job.store)
  stores.set(job.store, store)
  if (!store) throw new Error('the index cannot be opened')
  if (job.kind === 'files') return store.replace(job.package, readSections(job.root, job.files))
  const [index, pages] = [job.index, job.pages].map(file => JSON.parse(readFileSync(file, 'utf8')))
  store.replace(job.package, devdocsSections(index, pages))
}
