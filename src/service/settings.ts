/** Start settings of the process. */
export interface ResidentSettings {
  readonly root: string
  /** The key of the workspace's state; another directory at the same path has another. */
  readonly key: string
  /** It ends after this time without clients. */
  readonly idleMs: number
  /** Memory limit of its search index: contents and lookup tables. */
  readonly memoryBytes: number
}

/** Parses the settings. Throws if they are not ours. */
export function readSettings(text: string): ResidentSettings {
  const { root, key, idleMs, memoryBytes } = Object(JSON.parse(text))
  if (typeof root !== 'string' || typeof key !== 'string' || !(idleMs > 0) || !(memoryBytes > 0))
    throw new Error('Only toolwright starts this program')
  return { root, key, idleMs: Number(idleMs), memoryBytes: Number(memoryBytes) }
}
