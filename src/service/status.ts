import type { PartStatus } from '../knowledge/answers/open-knowledge.ts'
import type { RunningServer } from '../knowledge/code/servers/types.ts'

/** The process's own status. */
export interface ResidentStatus {
  readonly pid: number
  readonly version: string
  readonly root: string
  readonly uptimeMs: number
  /** Open connections, including the caller's. */
  readonly clients: number
  readonly memoryBytes: number
  readonly idleMs: number
  readonly parts: readonly PartStatus[]
  /** Processes started to answer about code, such as language servers. */
  readonly processes: readonly RunningServer[]
}
