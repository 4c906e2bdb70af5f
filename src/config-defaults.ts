import type { Action } from './kernel/claim.ts'

export const ACTIONS = ['read', 'create', 'write', 'exec', 'net', 'reveal'] as const satisfies readonly Action[]

/** What holds where no configuration says otherwise; the verdicts have their own place in policy. */
export const DEFAULTS = { answerBytes: 262_144, expireDays: 90, stateBytes: 2_000_000_000, stateDays: 90 } as const
