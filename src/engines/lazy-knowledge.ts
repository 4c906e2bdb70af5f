import { onceLoaded } from '../kernel/once.ts'
import type { Knowledge, KnowledgeParts } from '../knowledge/resident/open-knowledge.ts'
import { hasResidentSocket } from '../machine/state/resident-socket.ts'

/** What a program knows about a workspace; its code is loaded with the first question. */
export interface LazyKnowledge {
  open(): Promise<Knowledge>
  /** Undefined until the first question. */
  opened(): Knowledge | undefined
  /** Reports whether a process can answer at once; looks at most once a second. */
  isNear(): boolean
  readonly env: KnowledgeParts['env']
  close(): Promise<void>
}

/** How long to wait before looking again for a process. */
const ABSENT_MS = 1000

export function lazyKnowledge(parts: Omit<KnowledgeParts, 'isForeign'>): LazyKnowledge {
  let knowledge: Knowledge | undefined
  let absentUntil = 0
  let isOpen = false
  const open = onceLoaded(async () => {
    isOpen = true
    const [{ openKnowledge }, { foreignFiles }] = await Promise.all([
      import('../knowledge/resident/open-knowledge.ts'),
      import('../knowledge/search/foreign-files.ts'),
    ])
    return (knowledge = openKnowledge({ ...parts, isForeign: foreignFiles(...parts.foreign).matches }))
  })
  return {
    open,
    opened: () => knowledge,
    isNear() {
      if (knowledge) return true
      const now = Date.now()
      if (parts.use === 'off' || now < absentUntil) return false
      absentUntil = now + ABSENT_MS
      return hasResidentSocket(parts.state.path)
    },
    env: parts.env,
    async close() {
      if (isOpen) await (await open()).close()
    },
  }
}
