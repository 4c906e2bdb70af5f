/** Caches the most recently used values, up to a size. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, bytes: number): void
}

export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let total = 0
  const drop = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, bytes) {
      drop(key)
      if (bytes > maxBytes) return
      entries.set(key, { value, bytes })
      total += bytes
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break
        drop(oldest)
      }
    },
  }
}
