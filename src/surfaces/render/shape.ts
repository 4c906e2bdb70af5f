export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the objects of a list that holds nothing else; undefined for an empty or a mixed list. */
export const objectsIn = (value: unknown): readonly Fields[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(isFields) ? value : undefined

export const textsIn = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.length > 0 && value.every(each => typeof each === 'string') ? value : undefined

/** Returns the first of these fields that is a text. Contracts use different names: `path`, `filePath`. */
export const textAt = (fields: Fields, ...names: readonly string[]): string | undefined =>
  names.map(name => fields[name]).find(value => typeof value === 'string')

export const numberAt = (fields: Fields, ...names: readonly string[]): number | undefined =>
  names.map(name => fields[name]).find(value => typeof value === 'number')

export const pathAt = (fields: Fields): string | undefined => textAt(fields, 'path', 'filePath')

/** Reports whether every object of a list has these fields. */
export const haveAll = (list: readonly Fields[], ...names: readonly string[]): boolean =>
  list.every(each => names.every(name => each[name] !== undefined))

/** Formats `filesSearched` and `size_bytes` as words. */
export const inWords = (key: string): string =>
  key
    .replaceAll(/([a-z])([A-Z])/g, (_, end: string, next: string) => `${end} ${next.toLowerCase()}`)
    .replaceAll('_', ' ')
