import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { OWN_CODES } from '../../kernel/own-codes.ts'

/** Parts of the contract that one call needs besides its tool. */
export const contractWithoutTools: Omit<Contract<Engines>, 'tools'> = {
  id: 'toolwright',
  strictWrites: true,
  tellsEffects: true,
  namesPastFixes: true,
  codes: OWN_CODES,
  envelope(_call, outcome) {
    const { startedAt: _started, endedAt: _ended, claims: _claims, ...meta } = outcome.meta
    if (outcome.ok) return { ok: true, data: outcome.data, meta }
    const { code, message, hint = '', details } = outcome.error
    return { ok: false, error: { code: OWN_CODES[code], message, hint, ...(details && { details }) }, meta }
  },
}
