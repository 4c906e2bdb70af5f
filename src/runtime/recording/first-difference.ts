import { isDeepStrictEqual } from 'node:util'

/** The first place where two JSON values differ, and both values there. */
interface FirstDifference {
  /** `data.files[0].path`; empty if the values differ as a whole. */
  readonly at: string
  readonly recorded: unknown
  readonly now: unknown
}

export function firstDifference(recordedValue: unknown, now: unknown, at = ''): FirstDifference {
  if (Array.isArray(recordedValue) && Array.isArray(now)) {
    const index = Array.from({ length: Math.max(recordedValue.length, now.length) }).findIndex(
      (_, place) => !isDeepStrictEqual(recordedValue[place], now[place]),
    )
    if (index >= 0) return firstDifference(recordedValue[index], now[index], `${at}[${index}]`)
  } else if (isObject(recordedValue) && isObject(now)) {
    const key = [...Object.keys(recordedValue), ...Object.keys(now)].find(
      name => !isDeepStrictEqual(Reflect.get(recordedValue, name), Reflect.get(now, name)),
    )
    if (key !== undefined)
      return firstDifference(Reflect.get(recordedValue, key), Reflect.get(now, key), at === '' ? key : `${at}.${key}`)
  }
  return { at, recorded: recordedValue, now }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
