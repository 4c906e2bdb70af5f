import type { FixFilter, FixStore } from '../../../knowledge/memory/types.ts'
import type { Toolkit } from '../../../toolkit.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError, type parse } from '../usage.ts'

export const FIX_OPTIONS = {
  error: { type: 'string' },
  cause: { type: 'string' },
  solution: { type: 'string' },
  language: { type: 'string' },
  type: { type: 'string' },
  confidence: { type: 'string' },
  validated: { type: 'boolean' },
  'fixed-in': { type: 'string' },
  commit: { type: 'string' },
  transaction: { type: 'string' },
  tried: { type: 'string', multiple: true },
  failed: { type: 'string', multiple: true },
  into: { type: 'string' },
  'even-if-similar': { type: 'boolean' },
  refute: { type: 'boolean' },
  repair: { type: 'boolean' },
  'min-confidence': { type: 'string' },
  words: { type: 'boolean' },
  limit: { type: 'string' },
  skip: { type: 'string' },
} as const

const WRITERS = ['add', 'edit'] as const
const READERS = ['search', 'list', 'export'] as const

/** The verbs that accept each option. */
const VERBS_OF: Readonly<Record<keyof typeof FIX_OPTIONS, readonly string[]>> = {
  error: WRITERS,
  cause: WRITERS,
  solution: WRITERS,
  language: [...WRITERS, ...READERS],
  type: [...WRITERS, ...READERS],
  confidence: WRITERS,
  validated: [...WRITERS, ...READERS],
  'fixed-in': WRITERS,
  commit: WRITERS,
  transaction: WRITERS,
  tried: WRITERS,
  failed: WRITERS,
  into: ['add'],
  'even-if-similar': ['add'],
  refute: ['validate'],
  repair: ['doctor'],
  'min-confidence': READERS,
  words: ['search'],
  limit: ['search', 'list'],
  skip: ['list'],
}

/** Throws if an option belongs to another verb, which would ignore it. */
export function ensureOwnOptions(verb: string, values: object): void {
  for (const [option, verbs] of Object.entries(VERBS_OF))
    if (option in values && !verbs.includes(verb))
      throw new UsageError(
        `--${option} goes with ${verbs.map(each => `'fixes ${each}'`).join(' and ')}, not with 'fixes ${verb}'`,
        'fixes',
      )
}

export type FixValues = ReturnType<typeof parse<typeof FIX_OPTIONS>>['values']

/** One verb at work. */
export interface FixWork {
  readonly store: FixStore
  readonly kit: Toolkit
  readonly rest: readonly string[]
  readonly values: FixValues
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Returns the filter that the options of a list or a search give. */
export const filterOf = (values: FixValues): FixFilter => ({
  language: values.language,
  errorType: values.type,
  minConfidence:
    values['min-confidence'] === undefined ? undefined : shareOf(values['min-confidence'], '--min-confidence'),
  ...(values.validated && { userValidated: true }),
})

/** Parses a number from 0 to 1. */
export function shareOf(text: string, option: string): number {
  const share = Number(text)
  if (text.trim() !== '' && share >= 0 && share <= 1) return share
  throw new UsageError(`${option} wants a number from 0 to 1, not '${text}'`, 'fixes')
}
