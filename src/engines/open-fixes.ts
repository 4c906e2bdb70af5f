import { createHash } from 'node:crypto'
import { ToolError } from '../kernel/error.ts'
import { SHOWN_AFTER_MS, whileLoading } from '../kernel/loading.ts'
import type { Fix, NewFix } from '../knowledge/memory/fix.ts'
import type { Added, FixQuery, FixStore } from '../knowledge/memory/types.ts'
import type { CallScope } from '../machine/workspace/call-scope.ts'
import type { FixEngine, FixTime, RememberOptions } from './fix-engine.ts'
import type { Parts } from './parts.ts'

/** The vector of a query gets all of the time but this; then the store answers. */
const STORE_MS = 150

const loadFailures = () => import('../knowledge/memory/failure.ts')

/** Opens the memory of past fixes for one call: reading or recording, as claimed. */
export function openFixes(parts: Parts, scope: CallScope): FixEngine {
  const { network, fixes, sameAgain, fixedTime } = parts
  const timedQuery = (query: FixQuery, embedWithinMs: number, { loading, tell }: FixTime): FixQuery => ({
    ...query,
    embedWithinMs,
    ...(loading && { loading: { ...loading, tell } }),
  })
  const openStore = async (action: 'read' | 'write', { withinMs, loading }: FixTime): Promise<FixStore> => {
    ensureClaim(scope, action)
    const open = async () => (await fixes.load()).open({ network, egress: scope.egress, requestMs: withinMs })
    return loading ? whileLoading(loading, open) : open()
  }
  const engine: FixEngine = {
    async get(id, time) {
      const fix = await (await openStore('read', time)).get(id, time.signal)
      if (fix) return fix
      throw (await loadFailures()).unknownFix(id)
    },
    async search(query, time) {
      const store = await openStore('read', time)
      return store.search(timedQuery(query, time.withinMs, time), time.signal)
    },
    async find(query, time) {
      const store = await openStore('read', time)
      const embedWithinMs = Math.max(time.withinMs - STORE_MS, time.withinMs / 2)
      const { memoryFailure } = await loadFailures()
      try {
        return await store.search(timedQuery(query, embedWithinMs, time), time.signal)
      } catch (cause) {
        if (!(cause instanceof ToolError) || memoryFailure(cause) !== 'embedding_failed') throw cause
        const matches = await store.searchWords(query, time.signal).catch((error: unknown) => {
          // Other words may say the same, so that nothing is known of what is stored.
          throw memoryFailure(error) === 'no_results' ? cause : error
        })
        return { ...matches, byWords: cause.message }
      }
    },
    async remember(fix, how, time) {
      const store = await openStore('write', time)
      // The store itself removes what looks like a secret.
      const redactedFix = { ...parts.redact(fix), ...(sameAgain && fixIdentity(fix, fixedTime?.() ?? 0)) }
      const note = setTimeout(() => time.tell?.('Comparing with the stored fixes by meaning'), SHOWN_AFTER_MS)
      return rememberFix(store, redactedFix, how, scope.preview, time).finally(() => clearTimeout(note))
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
const fixIdentity = (fix: NewFix, now: number): Pick<Fix, 'id' | 'createdAt'> => ({
  id: `fix-${createHash('sha256').update(JSON.stringify(fix)).digest('hex').slice(0, 16)}`,
  createdAt: new Date(now).toISOString(),
})

async function rememberFix(
  store: FixStore,
  fix: NewFix,
  { into, evenIfSimilar = false }: RememberOptions,
  preview: boolean,
  time: FixTime,
): Promise<Added> {
  if (into !== undefined) return mergeFix(store, into, fix, preview, time)
  if (!preview) return store.add(fix, { evenIfSimilar }, time.signal)
  const duplicates = evenIfSimilar ? [] : await store.nearDuplicates(fix, time.signal)
  const { completeFix } = await import('../knowledge/memory/fix.ts')
  return duplicates.length > 0 ? { duplicates } : { stored: completeFix(fix) }
}

async function mergeFix(
  store: FixStore,
  id: string,
  fix: NewFix,
  preview: boolean,
  { signal }: FixTime,
): Promise<Added> {
  const { mergedChange } = await import('../knowledge/memory/merge-fix.ts')
  if (!preview) return { stored: await store.change(id, known => mergedChange(known, fix), signal) }
  // A preview stores nothing, and its answer names the fix only.
  const storedFix = await store.get(id, signal)
  if (!storedFix) throw (await loadFailures()).unknownFix(id)
  return { stored: storedFix }
}
