/** What the process is told when it is started. */
export interface ResidentSettings {
  readonly root: string
  /** The key of the workspace's state: another directory at the same path has another. */
  readonly key: string
  /** It ends after this time without clients. */
  readonly idleMs: number
  /** What its search index may hold of contents, and of what finds places in them. */
  readonly memoryBytes: number
}

/** Reads what it was told; throws where that is nothing of ours. */
export function readSettings(text: string): ResidentSettings {
  const { root, key, idleMs, memoryBytes } = Object(JSON.parse(text))
  if (typeof root !== 'string' || typeof key !== 'string' || !(idleMs > 0) || !(memoryBytes > 0))
    throw new Error('This program is started by toolwright, and by nobody else')
  return { root, key, idleMs: Number(idleMs), memoryBytes: Number(memoryBytes) }
}
