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

/** Something that is opened with its first use, and closed only if it was. */
export interface OpenedOnUse<T> {
  open(): Promise<T>
  /** Undefined until it is open. */
  opened(): T | undefined
  close(): Promise<void>
}

export function openedOnUse<T extends { close(): unknown }>(open: () => Promise<T>): OpenedOnUse<T> {
  let value: T | undefined
  let isOpening = false
  const openOnce = onceLoaded(async () => {
    isOpening = true
    return (value = await open())
  })
  return {
    open: openOnce,
    opened: () => value,
    async close() {
      if (isOpening) await (await openOnce()).close()
    },
  }
}

/** Methods that may wait for a module to load. */
type Waiting<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: never[]) => Promise<unknown> ? T[Name] : never
}

/**
 * Has the methods of what `load` returns, which loads with the first call of one. `early` has those that do not wait for
 * it, or do more than call.
 */
export function methodsOnUse<T extends object, Early extends Partial<T> = object>(
  load: () => Promise<Waiting<Omit<T, keyof Early>>>,
  early?: Early,
): T {
  let methods: Map<string, unknown> | undefined
  const methodOf = (name: string) =>
    async function method(...args: readonly unknown[]): Promise<unknown> {
      return Reflect.apply(Reflect.get(await load(), name), undefined, args)
    }
  return new Proxy(Object.freeze({}) as T, {
    get(_, name) {
      // A promise looks for `then` in what it is resolved with.
      if (typeof name === 'symbol' || name === 'then') return undefined
      methods ??= new Map(Object.entries(early ?? {}))
      if (!methods.has(name)) methods.set(name, methodOf(name))
      return methods.get(name)
    },
  })
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
