import { createHash } from 'node:crypto'
import { ToolError } from '../kernel/error.ts'
import type { Fix, NewFix } from '../knowledge/memory/fix.ts'
import type { Added, FixStore } from '../knowledge/memory/types.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { Engines, FixEngine, FixTime } from './engines.ts'
import type { Parts } from './parts.ts'

/** The vector of a query gets all of the time but this; then the store answers. */
const STORE_MS = 150

const loadFailures = () => import('../knowledge/memory/failure.ts')

/** Opens the memory of past fixes for one call: reading or recording, as claimed. */
export function openFixes(parts: Parts, scope: CallScope): Engines['fixes'] {
  const { network, fixes, sameAgain, fixedTime } = parts
  const opened = async (action: 'read' | 'write', { withinMs }: FixTime): Promise<FixStore> => {
    ensureClaim(scope, action)
    return (await fixes.load()).open({ network, egress: scope.egress, requestMs: withinMs })
  }
  const engine: FixEngine = {
    async get(id, time) {
      const fix = await (await opened('read', time)).get(id, time.signal)
      if (fix) return fix
      throw (await loadFailures()).unknownFix(id)
    },
    async search(query, time) {
      const store = await opened('read', time)
      return store.search({ ...query, embedWithinMs: time.withinMs }, time.signal)
    },
    async find(query, time) {
      const store = await opened('read', time)
      const embedWithinMs = Math.max(time.withinMs - STORE_MS, time.withinMs / 2)
      const { memoryFailure } = await loadFailures()
      try {
        return await store.search({ ...query, embedWithinMs }, time.signal)
      } catch (cause) {
        if (!(cause instanceof ToolError) || memoryFailure(cause) !== 'embedding_failed') throw cause
        const found = await store.searchWords(query, time.signal).catch((error: unknown) => {
          // Other words may say the same, so that nothing is known of what is stored.
          throw memoryFailure(error) === 'no_results' ? cause : error
        })
        return { ...found, byWords: cause.message }
      }
    },
    async remember(fix, { into, evenIfSimilar = false }, time) {
      const store = await opened('write', time)
      // The store itself removes what looks like a secret.
      const own = { ...parts.redact(fix), ...(sameAgain && named(fix, fixedTime?.() ?? 0)) }
      if (into !== undefined) return merged(store, into, own, scope.preview, time)
      if (!scope.preview) return store.add(own, { evenIfSimilar }, time.signal)
      const duplicates = evenIfSimilar ? [] : await store.nearDuplicates(own, time.signal)
      const { completeFix } = await import('../knowledge/memory/fix.ts')
      return duplicates.length > 0 ? { duplicates } : { stored: completeFix(own) }
    },
  }
  return engine
}

/** What was not claimed cannot be opened. */
function ensureClaim({ claims }: CallScope, action: 'read' | 'write'): void {
  if (claims.some(claim => claim.memory === true && claim.action === action)) return
  throw new ToolError('denied', `A tool that does not claim it cannot ${action} the memory of past fixes`, {
    hint: 'Claim it with readsMemory or writesMemory',
  })
}

/** Names a fix after its content, if the same calls must give the same answers. */
const named = (fix: NewFix, now: number): Pick<Fix, 'id' | 'createdAt'> => ({
  id: `fix-${createHash('sha256').update(JSON.stringify(fix)).digest('hex').slice(0, 16)}`,
  createdAt: new Date(now).toISOString(),
})

async function merged(store: FixStore, id: string, fix: NewFix, preview: boolean, { signal }: FixTime): Promise<Added> {
  const { mergedChange } = await import('../knowledge/memory/merge-fix.ts')
  if (!preview) return { stored: await store.change(id, known => mergedChange(known, fix), signal) }
  // A preview stores nothing, and its answer names the fix only.
  const known = await store.get(id, signal)
  if (!known) throw (await loadFailures()).unknownFix(id)
  return { stored: known }
}
