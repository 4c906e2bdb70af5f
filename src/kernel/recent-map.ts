/** A map that keeps only the `most` entries that were set last. */
export class RecentMap<Key, T> extends Map<Key, T> {
  readonly #most: number
  readonly #onDrop: (value: T) => void

  constructor(most: number, onDrop: (value: T) => void = () => {}) {
    super()
    this.#most = most
    this.#onDrop = onDrop
  }

  override set(key: Key, value: T): this {
    this.delete(key)
    super.set(key, value)
    const [oldest] = this
    if (this.size <= this.#most || !oldest) return this
    this.delete(oldest[0])
    this.#onDrop(oldest[1])
    return this
  }
}
