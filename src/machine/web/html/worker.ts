import { parentPort, workerData } from 'node:worker_threads'
import { convertPage } from './convert-page.ts'
import { isTooDeep } from './nesting.ts'

const { html, url } = workerData as { readonly html: string; readonly url: string }
// Parsing takes the square of the depth.
parentPort?.postMessage(isTooDeep(html) ? undefined : convertPage(html, url), [])
