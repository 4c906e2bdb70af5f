/** A cache of open resources, up to a limit. */
interface ResourceCache<T> {
  /** Opens the resource if needed, and does not close it before the work is done. */
  use<R>(key: string, work: (one: T) => Promise<R>): Promise<R>
}

interface OpenRules<T> {
  readonly most: number
  readonly mostBytes: number
  open(key: string): Promise<T>
  bytesOf(key: string): number
}

interface Entry<T> {
  readonly one: Promise<T>
  readonly bytes: number
  users: number
}

/** Closes the least recently used first; the last one stays open, however large it is. */
export function resourceCache<T extends { close(): Promise<void> }>(rules: OpenRules<T>): ResourceCache<T> {
  const entries = new Map<string, Entry<T>>()
  return {
    async use(key, work) {
      const entry = entries.get(key) ?? { one: rules.open(key), bytes: rules.bytesOf(key), users: 0 }
      entries.delete(key)
      entries.set(key, entry)
      entry.users++
      try {
        const one = await entry.one.catch((error: unknown) => {
          // A resource that failed to open may exist later.
          if (entries.get(key) === entry) entries.delete(key)
          throw error
        })
        return await work(one)
      } finally {
        entry.users--
        await closeSome()
      }
    },
  }

  async function closeSome(): Promise<void> {
    let [count, bytes] = [0, 0]
    const closing: Promise<void>[] = []
    for (const [key, { one, users, ...entry }] of [...entries].toReversed()) {
      count++
      bytes += entry.bytes
      const isTooMuch = count > 1 && (count > rules.most || bytes > rules.mostBytes)
      if (!isTooMuch || users > 0) continue
      entries.delete(key)
      closing.push(one.then(opened => opened.close()))
    }
    await Promise.allSettled(closing)
  }
}
