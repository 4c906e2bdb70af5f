import type { ToolError } from './error.ts'

/** A validator that did not pass. */
interface FailedValidator {
  readonly name: string
  readonly passed: false
  /** Its output; only the end of a long one. */
  readonly output: string
}

const MOST = 4000

/** Returns the validators that refused a change, from the details of the error. */
export function failedValidators(details: ToolError['details']): readonly FailedValidator[] {
  const validators: unknown = details?.['validators']
  if (!Array.isArray(validators)) return []
  return validators
    .filter(each => Object(each).passed === false)
    .map(({ name, output }) => ({ name: String(name), passed: false, output: endOf(String(output).trimEnd()) }))
}

/** Formats their reports to follow a message; empty if none failed. */
export const validatorReport = (details: ToolError['details']): string =>
  failedValidators(details)
    .map(({ name, output }) => `\n\n${name} reports:\n${output}`)
    .join('')

const endOf = (text: string): string => (text.length > MOST ? `…${text.slice(-MOST)}` : text)
