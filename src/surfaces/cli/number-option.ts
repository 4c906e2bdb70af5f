import { UsageError } from './usage.ts'

/** The whole number that an option was given; anything else is a usage error. */
export function numberOption(text: string, option: string, command: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${option} wants a number, not '${text}'`, command)
}
