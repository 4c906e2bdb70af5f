import { isDeepStrictEqual } from 'node:util'

/** The first place where two JSON values differ, and both values there. */
interface FirstDifference {
  /** `data.files[0].path`; empty if the values differ as a whole. */
  readonly at: string
  readonly recorded: unknown
  readonly now: unknown
}

export function firstDifference(recorded: unknown, now: unknown, at = ''): FirstDifference {
  if (Array.isArray(recorded) && Array.isArray(now)) {
    const index = Array.from({ length: Math.max(recorded.length, now.length) }).findIndex(
      (_, place) => !isDeepStrictEqual(recorded[place], now[place]),
    )
    if (index >= 0) return firstDifference(recorded[index], now[index], `${at}[${index}]`)
  } else if (isObject(recorded) && isObject(now)) {
    const key = [...Object.keys(recorded), ...Object.keys(now)].find(
      name => !isDeepStrictEqual(Reflect.get(recorded, name), Reflect.get(now, name)),
    )
    if (key !== undefined)
      return firstDifference(Reflect.get(recorded, key), Reflect.get(now, key), at === '' ? key : `${at}.${key}`)
  }
  return { at, recorded, now }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
