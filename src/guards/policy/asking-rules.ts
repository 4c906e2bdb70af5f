import type { Action, Claim } from '../../kernel/claim.ts'
import { decide } from './decide.ts'
import { levelsOf } from './hidden-paths.ts'
import { ALL_ALLOWED, type Policy } from './policy.ts'
import type { CompiledRule, Rule } from './rule.ts'

/**
 * Returns every rule that asks about a call, in words that stay the same when other rules are added. A decision names
 * only the first of them.
 */
export const askingRules = (policy: Policy, claims: readonly Claim[], decisive?: string): readonly string[] => [
  ...new Set(
    levelsOf(policy).flatMap(level =>
      level.rules.all
        .filter(rule => rule.verdict !== 'allow' && (rule.id === decisive || asksAlone(level, rule, claims)))
        .map(inWords),
    ),
  ),
]

/** Reports whether a rule would ask if everything else were allowed. */
function asksAlone({ history }: Policy, rule: CompiledRule, claims: readonly Claim[]): boolean {
  const of = (action: Action): readonly CompiledRule[] => (rule.matcher.actions.includes(action) ? [rule] : [])
  const byAction = {
    read: of('read'),
    create: of('create'),
    write: of('write'),
    exec: of('exec'),
    net: of('net'),
    reveal: of('reveal'),
  }
  const alone = { defaults: ALL_ALLOWED, rules: { all: [rule], byAction }, ...(history && { history }) }
  return decide(alone, claims).verdict === 'ask'
}

const inWords = ({ verdict, action, path, command, host, secret }: Rule): string =>
  [verdict, action, path ?? command ?? host ?? secret].filter(part => part !== undefined).join(' ')
