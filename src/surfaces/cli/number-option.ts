import { UsageError } from './usage.ts'

/** Starts at 0 unless `least` is given. */
interface NumberBounds {
  readonly least?: number
  readonly most: number
}

/** Parses a whole number within its bounds; anything else is a usage error. */
export function numberOption(text: string, option: string, command: string, { least = 0, most }: NumberBounds): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${option} wants a number, not '${text}'`, command)
  const number = Number(text)
  if (number >= least && number <= most) return number
  throw new UsageError(`${option} wants a number from ${least} to ${most}, not ${text}`, command)
}

/** Largest `skip` of every tool with pages. */
export const MOST_SKIPPED = 1_000_000
