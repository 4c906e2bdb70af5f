import type { SearchKnowledge } from '../knowledge/answers/knowledge.ts'
import type { Resident } from './open-resident.ts'
import { routed } from './routed.ts'

/** Without the process nothing is prepared, and a scan answers. */
const NOTHING_PREPARED: SearchKnowledge = {
  files: async () => undefined,
  grep: async () => undefined,
  find: async () => undefined,
}

/** The search of the process. Any failure falls back to a scan: a call never fails because of a process that it does not need. */
export const reachedSearch = (resident: Pick<Resident, 'reach'>): SearchKnowledge =>
  routed('search', {
    line: () => resident.reach(),
    here: () => NOTHING_PREPARED,
    continues(_error, line) {
      // Reconnects at once after a loss, so that the next search finds a new process.
      if (!line.isOpen()) void resident.reach()
      return true
    },
  })
