import type { Toolkit } from '../../../toolkit.ts'
import type { Terminal } from '../terminal.ts'
import type { parse } from '../usage.ts'

/** Options of all verbs of `policy`. */
export const OPTIONS = {
  path: { type: 'string', multiple: true },
  pattern: { type: 'string' },
  command: { type: 'string', multiple: true },
  allow: { type: 'string', multiple: true },
  deny: { type: 'string', multiple: true },
  scope: { type: 'string' },
  expires: { type: 'string' },
  why: { type: 'string' },
  read: { type: 'boolean' },
  create: { type: 'boolean' },
  write: { type: 'boolean' },
  host: { type: 'boolean' },
  jsonl: { type: 'boolean' },
} as const

export type Values = ReturnType<typeof parse<typeof OPTIONS>>['values']

/** One verb of `policy`. */
export type Verb = (kit: Toolkit, rest: readonly string[], values: Values, terminal: Terminal) => Promise<number>
