import { setTimeout as pause } from 'node:timers/promises'
import type { Toolkit } from '../../toolkit.ts'

/** A toolkit whose running calls can be waited for. */
export function trackRuns(kit: Toolkit): { readonly kit: Toolkit; settled(mostMs: number): Promise<void> } {
  const runs = new Set<Promise<unknown>>()
  return {
    kit: {
      ...kit,
      run(...call) {
        const run = kit.run(...call)
        runs.add(run)
        return run.finally(() => runs.delete(run))
      },
    },
    async settled(mostMs) {
      if (runs.size > 0) await Promise.race([Promise.allSettled(runs), pause(mostMs)])
    },
  }
}
