/** Caches the most recently used values, up to a size. */
export interface ByteCache<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value, bytes: number): void
}

export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  const kept = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let total = 0
  const drop = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }
  return {
    get(key) {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return found.value
    },
    set(key, value, bytes) {
      drop(key)
      if (bytes > maxBytes) return
      kept.set(key, { value, bytes })
      total += bytes
      for (const oldest of kept.keys()) {
        if (total <= maxBytes) break
        drop(oldest)
      }
    },
  }
}
