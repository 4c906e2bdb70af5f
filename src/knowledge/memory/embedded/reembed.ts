import { setTimeout } from 'node:timers/promises'
import { thisProcess } from '../../../machine/state/process-identity.ts'
import { embeddingTexts } from '../text/embedding-texts.ts'
import type { Embedder } from '../types.ts'
import type { OpenFixes } from './open-fixes.ts'
import { snapshot, transact } from './open-database.ts'
import { LEASE_MS } from './spaces.ts'

/** Few, so that little is lost if the process ends, and a query gets its turn. */
const AT_ONCE = 8
const RETRY_MS = 1_000

/**
 * Embeds every fix that has no vectors of this embedder, then lets these answer instead of the former ones, in one
 * step. Only one process does it at a time; another goes on where it ended.
 */
export async function reembed(fixes: OpenFixes, embedder: Embedder, signal: AbortSignal): Promise<void> {
  const { database, tables, spaces } = fixes
  const { pid, start } = thisProcess()
  const worker = `${pid}:${start}:${embedder.name}`
  let leasedAt = 0
  while (!signal.aborted) {
    const space = spaces.of(embedder)
    if (space?.isActive && spaces.countMissing(space.space) === 0) return
    if (space && Date.now() - leasedAt > LEASE_MS / 3) {
      leasedAt = Date.now()
      if (!spaces.lease(space.space, worker, leasedAt)) {
        leasedAt = 0
        await setTimeout(RETRY_MS, undefined, { ref: false, signal })
        continue
      }
    }
    const bodies = snapshot(database, () =>
      spaces.missing(space?.space ?? 0, AT_ONCE).map(row => {
        const fix = tables.fixOf(row)
        return { row, body: JSON.stringify(fix), texts: embeddingTexts(fix) }
      }),
    )
    if (bodies.length === 0) {
      if (!space || spaces.swap(space.space)) return
      continue
    }
    const vectors = await embedder.embed(
      bodies.flatMap(({ texts }) => texts),
      signal,
      { isBackground: true },
    )
    signal.throwIfAborted()
    transact(database, () => {
      const into = spaces.ensure(embedder, vectors[0]?.length ?? 0).space
      let at = 0
      for (const { row, body, texts } of bodies) {
        const fixVectors = vectors.slice(at, at + texts.length)
        at += texts.length
        // Another process may have changed or removed it meanwhile.
        if (fixes.isUnchanged(row, body)) tables.putVectors(row, into, fixVectors)
      }
    })
    await setTimeout(0, undefined, { ref: false, signal })
  }
}
