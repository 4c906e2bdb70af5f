/** A stream for one reader: items wait until it takes them. */
export interface ItemQueue<T> extends AsyncIterable<T> {
  push(item: T): void
  /** No item follows. With an error, the reader gets it after the last item. */
  end(error?: unknown): void
}

/** `onTaken` is called when the reader has taken an item, `onLeft` when it stops before the end. */
export function itemQueue<T>(onTaken: () => void = () => {}, onLeft: () => void = () => {}): ItemQueue<T> {
  const items: { readonly value: T }[] = []
  let ending: { readonly error: unknown } | undefined
  let wake = () => {}
  const isWaiting = (): boolean => items.length === 0 && !ending
  return {
    push(item) {
      if (ending) return
      items.push({ value: item })
      wake()
    },
    end(error) {
      ending ??= { error }
      wake()
    },
    [Symbol.asyncIterator]: () => ({
      async next() {
        while (isWaiting()) await new Promise<void>(resolve => (wake = resolve))
        const item = items.shift()
        if (item) {
          onTaken()
          return { done: false, value: item.value }
        }
        const error = ending?.error
        ending = { error: undefined }
        if (error !== undefined) throw error
        return { done: true, value: undefined }
      },
      async return() {
        if (!ending) onLeft()
        ending ??= { error: undefined }
        items.length = 0
        wake()
        return { done: true, value: undefined }
      },
    }),
  }
}
