import { ToolError } from '../../kernel/error.ts'

const deepest = 1000

interface StringMap {
  readonly text: (text: string) => string
  /** Maps object keys; absent to keep them. */
  readonly key?: (key: string) => string
  /** Maps a list before its items; absent to keep it. */
  readonly list?: (items: readonly unknown[]) => readonly unknown[]
  /** Maps anything that is neither string, array nor plain object; absent to keep it. */
  readonly leaf?: (leaf: unknown) => unknown
}

/**
 * Returns the same value with its strings mapped. A part without a changed string is returned as it is, never copied.
 */
export const mapStrings = <T>(value: T, map: StringMap): T => walk(value, map, [], 0) as T

const walk = (value: unknown, map: StringMap, above: unknown[], depth: number): unknown => {
  if (typeof value === 'string') return map.text(value)
  if (typeof value !== 'object' || value === null) return map.leaf ? map.leaf(value) : value
  if (depth > deepest) throw new ToolError('invalid_input', `the value is nested deeper than ${deepest} levels`)
  if (above.includes(value)) throw new ToolError('invalid_input', 'the value contains itself')
  const inside = (item: unknown): unknown => {
    above.push(value)
    const mappedItem = walk(item, map, above, depth + 1)
    above.pop()
    return mappedItem
  }
  if (Array.isArray(value)) return mapArray(map.list?.(value) ?? value, inside)
  if (isPlain(value)) return mapObject(value, map.key, inside)
  return map.leaf ? map.leaf(value) : value
}

const mapArray = (items: readonly unknown[], inside: (item: unknown) => unknown): readonly unknown[] => {
  const mappedItems = items.map(inside)
  return mappedItems.some((item, index) => item !== items[index]) ? mappedItems : items
}

const mapObject = (
  value: object,
  key: ((key: string) => string) | undefined,
  inside: (item: unknown) => unknown,
): object => {
  let isChanged = false
  const usedKeys = new Set<string>()
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => {
    const mappedEntry: [string, unknown] = [unlike(usedKeys, key ? key(name) : name), inside(item)]
    usedKeys.add(mappedEntry[0])
    isChanged ||= mappedEntry[0] !== name || mappedEntry[1] !== item
    return mappedEntry
  })
  // fromEntries defines properties, so an own key named __proto__ stays an ordinary key.
  return isChanged ? Object.fromEntries(entries) : value
}

/** Two keys that became the same stay two. */
const unlike = (taken: ReadonlySet<string>, name: string): string => {
  if (!taken.has(name)) return name
  for (let count = 2; ; count++) if (!taken.has(`${name}#${count}`)) return `${name}#${count}`
}

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
