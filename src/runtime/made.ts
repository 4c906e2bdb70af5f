import type { Decision } from '../guards/policy/decide.ts'
import { decideMade } from '../guards/policy/of-command.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Change } from '../kernel/change.ts'
import { ToolError } from '../kernel/error.ts'

const SHOWN = 20

/**
 * What a command changed, judged path by path: throws `denied` with the list where a rule or a protected place forbids
 * one, and gives the question that a person has to answer where one asks.
 */
export function judgeMade(policy: Policy, changes: readonly Change[]): Decision | undefined {
  const judged = changes
    .flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))
    .map(path => ({ path, ...decideMade(policy, path) }))
  const denied = judged.filter(({ verdict }) => verdict === 'deny')
  if (denied.length > 0)
    throw new ToolError('denied', `Nothing of what the command changed is kept: ${listed(denied)}`, {
      hint: 'Have the command leave these alone, or have a person change the policy',
      details: { paths: denied.map(({ path }) => path) },
    })
  const asked = judged.filter(({ verdict }) => verdict === 'ask')
  if (asked.length === 0) return undefined
  return { verdict: 'ask', always: true, why: `the command changed ${listed(asked)}`, filters: [] }
}

const listed = (judged: readonly { readonly path: string; readonly why: string }[]): string => {
  const more = judged.length > SHOWN ? ` and ${judged.length - SHOWN} more` : ''
  return judged
    .slice(0, SHOWN)
    .map(({ path, why }) => `'${path}' (${why})`)
    .join(', ')
    .concat(more)
}
