import type { Call } from '../../kernel/contract.ts'
import type { ToolError } from '../../kernel/error.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import { isSystemRefusal } from '../../kernel/system-refusal.ts'
import { LARGEST_FILE, MOST_LISTED, MOST_RESULTS } from './fields.ts'

/** The result of every failed call. */
export interface ErrorResponse {
  error: { code: string; message: string; details?: object }
}

interface Failure {
  readonly code?: string
  readonly message?: string
  /** Replaces a hint that names something these tools lack. */
  readonly hint?: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Failures that the document distinguishes, words itself or gives figures for. */
export function failureOf({ name, input }: Call, { code, details = {} }: ToolError): Failure {
  if (code === 'invalid_input') return ofInput(name, input, details['issues'])
  if (code === 'denied' && details['needs'] === 'justification') return { code: 'JUSTIFICATION_REQUIRED' }
  if (isSystemRefusal({ code, details })) return { code: 'PERMISSION_DENIED' }
  if (name === 'readFile' && code === 'binary')
    return { hint: 'readFile returns UTF-8 text only; find another file with queryIndex or listFiles' }
  if (name === 'readFile' && code === 'too_large')
    return { hint: 'queryIndex says what it exports; find a smaller file with queryIndex or listFiles' }
  if (code !== 'budget_exceeded') return {}
  const { budget, task, used, limit, given } = details
  const component = componentOf(String(task))
  const reset = quoteArgv(['toolwright', 'budget', 'reset', String(task)])
  if (budget === 'bytes')
    return {
      message: `Cumulative read limit (${Number(limit) / 1024 / 1024}MB) exceeded for component '${component}'`,
      details: { bytes_read: used, limit_bytes: limit, files_read: given, reset },
    }
  if (budget === 'calls')
    return {
      message: `Too many list operations (${Number(limit)}) for component '${component}'`,
      details: { list_calls: used, limit_calls: limit, reset },
    }
  return { details: { concurrent_reads: used, limit_concurrent: limit } }
}

/** The component of calls that name none is `default`, in each session anew. */
const componentOf = (account: string): string => account.replace(/\/.*$/, '')

/** By the parameter that is wrong. One that is missing or of another type is none of the document's own cases. */
function ofInput(name: string, input: unknown, issues: unknown): Failure {
  const wrong = Array.isArray(issues) ? issues.map(issue => String(Object(issue)['path'])) : []
  const { path, directory, query, ...rest } = Object(input)
  const { type, value } = Object(query)
  if (wrong.includes('path') && typeof path === 'string') return { code: 'INVALID_PATH' }
  if (wrong.includes('directory') && typeof directory === 'string') return { code: 'INVALID_DIRECTORY' }
  if (wrong.includes('query.type') && typeof type === 'string') return { code: 'INVALID_QUERY_TYPE' }
  if (wrong.includes('query.value') && (value === undefined || value === '')) return { code: 'MISSING_VALUE' }
  if (wrong.some(key => isAbove(rest[key], LIMITS[`${name} ${key}`]))) return { code: 'LIMIT_EXCEEDED' }
  return {}
}

const LIMITS: Readonly<Record<string, number>> = {
  'queryIndex limit': MOST_RESULTS,
  'listFiles limit': MOST_LISTED,
  'readFile maxBytes': LARGEST_FILE,
}

const isAbove = (value: unknown, most = Infinity): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value > most
