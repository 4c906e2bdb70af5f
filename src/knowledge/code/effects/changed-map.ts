/** A map with other values of some keys: shares the rest with the map below, which is not copied. */
class ChangedMap<K, V> implements ReadonlyMap<K, V> {
  readonly root: ReadonlyMap<K, V>
  readonly over: ReadonlyMap<K, V>

  constructor(root: ReadonlyMap<K, V>, over: ReadonlyMap<K, V>) {
    this.root = root
    this.over = over
  }

  get size(): number {
    return this.root.size
  }

  has(key: K): boolean {
    return this.root.has(key)
  }

  get(key: K): V | undefined {
    return this.over.has(key) ? this.over.get(key) : this.root.get(key)
  }

  keys(): MapIterator<K> {
    return this.root.keys()
  }

  *values(): Generator<V, undefined> {
    for (const [, value] of this) yield value
  }

  *entries(): Generator<[K, V], undefined> {
    for (const [key, value] of this.root) {
      const other = this.over.get(key)
      yield [key, other ?? value]
    }
  }

  [Symbol.iterator](): Generator<[K, V], undefined> {
    return this.entries()
  }

  forEach(use: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) use(value, key, this)
  }
}

/** Above this share of all keys a copy costs less than looking twice. */
const MOST_CHANGED = 1 / 4
const FEWEST = 16

/** Returns the map with other values of some of its keys. */
export function withChanged<K, V extends object | string>(
  map: ReadonlyMap<K, V>,
  changes: ReadonlyMap<K, V>,
): ReadonlyMap<K, V> {
  const { root, over } = layersOf(map)
  const all = new Map([...over, ...changes])
  if (all.size <= Math.max(FEWEST, root.size * MOST_CHANGED)) return new ChangedMap(root, all)
  const copy = new Map(root)
  for (const [key, value] of all) copy.set(key, value)
  return copy
}

/** Returns the keys whose values may differ: few, if one map was made from the other or both from a third. */
export function keysThatMayDiffer<K, V>(one: ReadonlyMap<K, V>, other: ReadonlyMap<K, V>): ReadonlySet<K> {
  const [ownLayers, theirs] = [layersOf(one), layersOf(other)]
  return ownLayers.root === theirs.root
    ? new Set([...ownLayers.over.keys(), ...theirs.over.keys()])
    : new Set([...one.keys(), ...other.keys()])
}

const layersOf = <K, V>(map: ReadonlyMap<K, V>): Pick<ChangedMap<K, V>, 'root' | 'over'> =>
  map instanceof ChangedMap ? map : { root: map, over: new Map() }
