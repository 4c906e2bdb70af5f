import type { Effect } from '../kernel/claim.ts'
import { ToolError } from '../kernel/error.ts'
import type { OpenOptions, SessionState } from '../kernel/open-options.ts'

/** Checks of what the tool of a call declares, for what no claim can name. Each throws `denied`. */
export function declarations({ declared: { effects, uses } }: Pick<OpenOptions, 'declared'>) {
  return {
    /** Needs one of these effects. */
    needEffect(what: string, ...some: readonly Effect[]): void {
      if (some.some(effect => effects.includes(effect))) return
      throw new ToolError('denied', `A tool that does not declare it cannot ${what}`, {
        hint: `Add ${some.join(' or ')} to the effects of the tool`,
      })
    },
    needState(state: SessionState): void {
      if (uses.includes(state)) return
      throw new ToolError('denied', `A tool that does not declare it cannot use the ${state} of the session`, {
        hint: `Add '${state}' to what the tool uses`,
      })
    },
  }
}
