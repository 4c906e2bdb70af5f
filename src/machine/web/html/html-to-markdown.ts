import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../own-program.ts'
import { plainText } from './plain-text.ts'

export interface Readable {
  readonly content: string
  readonly title?: string
}

/** Only a hostile page takes longer. */
const LONGEST_MS = 4_000
const MEMORY_MB = 512

/**
 * Converts HTML to readable Markdown: the main part if the page names one, with absolute links. The library runs in its
 * own thread, which is ended if a page is built to keep it busy; such a page yields only its bare text.
 */
export async function htmlToMarkdown(html: string, url: string): Promise<Readable> {
  const worker = new Worker(ownProgram('html-worker'), {
    workerData: { html, url },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
  const { promise, resolve } = Promise.withResolvers<Readable | undefined>()
  const deadline = setTimeout(() => resolve(undefined), LONGEST_MS)
  worker.once('message', resolve)
  worker.once('error', () => resolve(undefined))
  worker.once('exit', () => resolve(undefined))
  const page = await promise
  clearTimeout(deadline)
  await worker.terminate()
  return page ?? { content: plainText(html) }
}
