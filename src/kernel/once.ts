/** Creates a value on first use and returns the same one from then on. */
export function once<T>(make: () => T): () => T {
  let memo: { readonly value: T } | undefined
  return () => (memo ??= { value: make() }).value
}

/** The same for a value that loads asynchronously. A failure is not cached, so the next caller tries again. */
export function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}

/** Computes a value once for each key. */
export function oncePer<Of, T>(find: (of: Of) => T, keyOf: (of: Of) => unknown = of => of): (of: Of) => T {
  const results = new Map<unknown, { readonly value: T }>()
  return of => {
    const key = keyOf(of)
    const result = results.get(key) ?? { value: find(of) }
    results.set(key, result)
    return result.value
  }
}
