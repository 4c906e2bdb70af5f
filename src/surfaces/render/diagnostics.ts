import { sanitize } from '../../kernel/sanitize.ts'
import { plainLines } from './numbered-text.ts'
import type { Style } from './paint.ts'
import { numberAt, pathAt, textAt, type Fields } from './shape.ts'

/** Renders errors in files: the place, the code and the first line of the message. */
export const diagnosticLines = (faults: readonly Fields[], { paint }: Style): string[] =>
  faults.map(fault => {
    const [message = ''] = (textAt(fault, 'message') ?? '').split('\n')
    const place = [pathAt(fault), numberAt(fault, 'line'), numberAt(fault, 'column')].filter(part => part !== undefined)
    const code = textAt(fault, 'code')
    return `${paint('bold', sanitize(place.join(':')))}${code === undefined ? '' : ` ${paint('red', sanitize(code))}`} ${sanitize(message)}`
  })

/** Renders errors that are sentences. */
export const errorLines = (errors: readonly string[], { paint }: Style): string[] =>
  errors.map(error => `${paint('red', '✗')} ${sanitize(error)}`)

/** Renders validators with their verdict, and the output of those that failed. */
export const verdictLines = (verdicts: readonly Fields[], { paint }: Style): string[] =>
  verdicts.flatMap(verdict => {
    const hasPassed = verdict['passed'] === true
    const name = sanitize(textAt(verdict, 'name') ?? '')
    const outputLines = hasPassed ? [] : plainLines(textAt(verdict, 'output') ?? '').map(line => `  ${line}`)
    return [`${hasPassed ? paint('green', '✓') : paint('red', '✗')} ${name}`, ...outputLines]
  })
