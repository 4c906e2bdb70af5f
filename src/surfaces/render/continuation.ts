import { isFields, type Fields } from './shape.ts'

interface CutAnswer {
  readonly input: unknown
  /** Returns the command line for the same call with this input. */
  readonly again: (input: Fields) => string
  /** Reports whether the tool accepts this input. */
  readonly takes: (input: Fields) => boolean
}

/** Returns how to get the rest of a cut answer, or undefined if it is complete. */
export function continuation(data: unknown, { input, again, takes }: CutAnswer): string | undefined {
  if (!isFields(data)) return undefined
  const { next, truncated } = data
  const inputFields = isFields(input) ? input : {}
  if (isFields(next)) return `There is more: ${again({ ...inputFields, ...next })}`
  if (truncated !== true) return undefined
  const wider = { ...inputFields, limit: shownIn(data) * 10 }
  return takes(wider) ? `There is more: ${again(wider)}` : 'More results exist; narrow the request'
}

/** Returns the length of the longest list. */
const shownIn = (data: Fields): number =>
  Math.max(1, ...Object.values(data).map(value => (Array.isArray(value) ? value.length : 0)))
