import { parentPort, workerData } from 'node:worker_threads'
import { convertPage } from './convert-page.ts'

const DEEPEST = 400

/** Elements without an end tag, and those that the next of their kind ends. */
const SHALLOW = new Set(
  `area base br col embed hr img input link meta source track wbr p li td th tr dt dd option optgroup tbody thead tfoot colgroup rt
  rp html head body`.split(/\s+/),
)

/** Reports whether far more elements are nested than in any page made for reading. */
function isTooDeep(html: string): boolean {
  let depth = 0
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-zA-Z][a-zA-Z0-9-]*)/g)) {
    if (SHALLOW.has(name.toLowerCase())) continue
    depth = Math.max(0, depth + (end === '/' ? -1 : 1))
    if (depth > DEEPEST) return true
  }
  return false
}

const { html, url } = workerData as { readonly html: string; readonly url: string }
// Parsing time grows with the square of the depth.
parentPort?.postMessage(isTooDeep(html) ? undefined : convertPage(html, url), [])
