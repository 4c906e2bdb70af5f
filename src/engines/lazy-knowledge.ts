import { openedOnUse, type OpenedOnUse } from '../kernel/once.ts'
import type { DocumentationHolder, HolderParts } from '../knowledge/documentation/documentation-holder.ts'
import type { ProgramKnowledge, ProgramKnowledgeParts } from '../service/program-knowledge.ts'
import { hasResidentSocket } from '../machine/state/resident-socket.ts'

/** What a program knows about a workspace; its code is loaded with the first question. */
export interface LazyKnowledge extends OpenedOnUse<ProgramKnowledge> {
  /** Reports whether a process can answer at once; looks at most once a second. */
  isNear(): boolean
  readonly env: ProgramKnowledgeParts['env']
}

/** How long to wait before looking again for a process. */
const ABSENT_MS = 1000

export function lazyKnowledge(parts: Omit<ProgramKnowledgeParts, 'isForeign'>): LazyKnowledge {
  let absentUntil = 0
  const knowledge = openedOnUse(async () => {
    const [{ openProgramKnowledge }, { foreignFiles }] = await Promise.all([
      import('../service/program-knowledge.ts'),
      import('../knowledge/search/foreign-files.ts'),
    ])
    return openProgramKnowledge({ ...parts, isForeign: foreignFiles(...parts.foreign).matches })
  })
  return {
    ...knowledge,
    isNear() {
      if (knowledge.opened()) return true
      const now = Date.now()
      if (parts.use === 'off' || now < absentUntil) return false
      absentUntil = now + ABSENT_MS
      return hasResidentSocket(parts.state.path)
    },
    env: parts.env,
  }
}

/** Opens what documentation search keeps in a workspace, with the first search. */
export const lazyDocumentation = (parts: HolderParts): OpenedOnUse<DocumentationHolder> =>
  openedOnUse(async () => (await import('../knowledge/documentation/documentation-holder.ts')).openHolder(parts))
