import { referenceId } from '../kernel/reference.ts'
import type { IndexEngine } from '../knowledge/index/types.ts'
import { storedAnswer } from '../machine/text/stored-answer.ts'
import { readText } from '../machine/text/read-text.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import { createGrant } from '../machine/workspace/grant.ts'
import type { ReadableWorkspace } from '../machine/workspace/workspace.ts'
import type { TextEngine } from './engines.ts'
import type { Parts } from './parts.ts'

/** Opens reading of text for one call; `given` reports that its answer was within the budgets. */
export function openText(
  { memory, payloads, isOneCall }: Pick<Parts, 'memory' | 'payloads' | 'isOneCall'>,
  { claims, staging, conceal }: Pick<CallScope, 'claims' | 'staging' | 'conceal'>,
  ws: ReadableWorkspace,
  index: IndexEngine,
): { readonly engine: Pick<TextEngine, 'read' | 'readOnce' | 'pdfPages'>; given(): void } {
  let remember = () => {}
  const read: TextEngine['read'] = (path, options = {}) => {
    const id = referenceId(path)
    if (id === undefined) return readText(ws, memory, path, options, conceal?.())
    createGrant(claims).need(path, 'read')
    // A cut answer was text, whatever it begins with.
    const { media: _, ...asText } = options
    return readText({ open: () => storedAnswer(payloads, path, id) }, { note() {} }, path, asText, conceal?.())
  }
  const engine: Pick<TextEngine, 'read' | 'readOnce' | 'pdfPages'> = {
    read,
    async pdfPages(path, range) {
      const { pdfPages } = await import('../knowledge/parser/pdf-pages.ts')
      const file = ws.open(path)
      try {
        return await pdfPages(file, range)
      } finally {
        file.close()
      }
    },
    async readOnce(path, options = {}) {
      const canonical = ws.locate(path)
      createGrant(claims).need(canonical, 'read')
      // Checking that nothing changed would take a look at every file of the workspace.
      if (isOneCall) return { ...read(path, options), cached: false }
      const { repoHash, files, current } = await index.query({ by: 'prefix', value: canonical }, { limit: 1 })
      // A staged file, or one unknown to the index, may have changed unnoticed.
      if (!current || !staging.isEmpty() || files[0]?.path !== canonical)
        return { ...read(path, options), cached: false }
      const { openCached } = await import('../machine/text/read-cache.ts')
      const once = { open: () => ws.open(path), most: options.refuseAbove ?? Infinity }
      const { file, cached, keep } = openCached(memory, repoHash, canonical, once)
      remember = keep
      return { ...readText({ open: () => file }, memory, path, options, conceal?.()), cached }
    },
  }
  return { engine, given: () => remember() }
}
