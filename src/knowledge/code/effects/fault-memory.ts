import type { CodeFault } from '../../../kernel/edit-effects.ts'

/** The errors of files, by all that they depend on: what was judged once is known whenever the workspace is as it was then. */
export interface FaultMemory {
  get(path: string, proof: string): readonly CodeFault[] | undefined
  set(path: string, proof: string, faults: readonly CodeFault[]): void
}

const MOST = 50_000

export function faultMemory(): FaultMemory {
  const known = new Map<string, readonly CodeFault[]>()
  return {
    get: (path, proof) => known.get(`${proof} ${path}`),
    set(path, proof, faults) {
      const key = `${proof} ${path}`
      known.delete(key)
      known.set(key, faults)
      if (known.size <= MOST) return
      const [oldest] = known.keys()
      if (oldest !== undefined) known.delete(oldest)
    },
  }
}
