import { Worker } from 'node:worker_threads'
import { ownProgram } from '../../own-program.ts'
import { plainText } from './plain-text.ts'

export interface Readable {
  readonly content: string
  readonly title?: string
}

/** A page that takes longer was made to. */
const LONGEST_MS = 4_000
const MEMORY_MB = 512

/**
 * HTML as Markdown that a person or a model can read: the main part where the page names one, with links made absolute. The library
 * works in a thread of its own, which is ended where a page is built to keep it busy; of such a page the bare text is given.
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
