import type { Claim } from '../../kernel/claim.ts'
import { foldPath } from '../../kernel/fold-name.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import { isStricter, type Verdict } from '../verdict.ts'
import { protectedPlace } from './builtin.ts'
import type { Decision } from './decision.ts'
import { levelsOf, opensSecrets } from './hidden-paths.ts'
import type { Policy } from './policy.ts'

/** What another name of a path, or its use by git, demands. */
interface NameVerdict {
  readonly verdict: Exclude<Verdict, 'allow'>
  readonly why: string
  readonly rule: string
  /** Only a person may answer. */
  readonly always?: true
}

/**
 * Returns the strictest demand of the names by which a path is known besides its own: the spelling that was asked for,
 * links that lead there, and settings of git. Only what asks or denies counts.
 */
export function demandOfNames(policy: Policy, claim: Claim, path: string): NameVerdict | undefined {
  if (!policy.places && !claim.names && claim.setting === undefined) return undefined
  const names = [...(claim.names ?? []), ...(policy.places?.namesOf(path) ?? [])]
  const isRead = claim.action === 'read'
  const setting = isRead ? undefined : (claim.setting ?? policy.places?.settingOf(path))
  const demands = [
    ...(setting === undefined ? [] : [demandOfSetting(path, setting)]),
    ...[...new Set(names)].flatMap(name => demandsOfName(policy, claim, path, name)),
  ]
  return demands.reduce<NameVerdict | undefined>(
    (worst, one) =>
      worst === undefined ||
      isStricter(one.verdict, worst.verdict) ||
      (one.verdict === worst.verdict && one.always && !worst.always)
        ? one
        : worst,
    undefined,
  )
}

/** Returns the stricter of two verdicts: what holds for the path itself, or for another of its names. */
export function withDemand(decision: Decision, claim: Claim, path: string, demand: NameVerdict): Decision {
  const { verdict, why, rule, always } = demand
  const isSame = verdict === decision.verdict && (!always || decision.always)
  if (isSame || isStricter(decision.verdict, verdict)) return decision
  const reason = `${claim.action} ${path === '' ? '.' : path}: ${why}`
  return { verdict, why: reason, rule, claim, filters: decision.filters, ...(always && { always }) }
}

const demandOfSetting = (path: string, setting: string): NameVerdict => ({
  verdict: 'ask',
  why: `git runs or reads ${path} by its setting ${setting}: every change to it needs approval`,
  rule: 'builtin:git-setting',
  always: true,
})

function demandsOfName(policy: Policy, { action }: Claim, path: string, name: string): readonly NameVerdict[] {
  if (action !== 'read' && action !== 'create' && action !== 'write') return []
  const guard = action === 'read' ? undefined : protectedPlace(name, policy.protection)
  const alias = foldPath(name)
  const rules = policy.rules.byAction[action]
  const ruleDemands = rules.flatMap(({ verdict, matcher, why, id, path: place, always }): NameVerdict[] =>
    verdict === 'allow' || place === undefined || matcher.touches(name, alias) === 'none'
      ? []
      : [{ verdict, rule: id, why: `${nameReason(action, name)}${why ?? `rule ${id}`}`, ...(always && { always }) }],
  )
  const isOpened = rules.some(rule => opensSecrets(rule) && (rule.matcher.matches(name) || rule.matcher.matches(path)))
  const isSecret = action === 'read' && policy.asksForSecrets === true && isSecretFile(name) && !isOpened
  return [
    ...(guard
      ? [
          {
            verdict: guard.verdict,
            rule: guard.rule,
            why: `${nameReason(action, name)}${guard.why}`,
            ...(guard.verdict === 'ask' && { always: true as const }),
          },
        ]
      : []),
    ...ruleDemands,
    ...(isSecret ? [{ verdict: 'ask' as const, rule: 'builtin:secret', why: SECRET }] : []),
  ]
}

const SECRET = 'a link gives it another name, and files of that name hold secrets: reading them needs approval'

/** Names no link to a caller who may only know that there is a rule. */
const nameReason = (action: string, name: string): string =>
  action === 'read' ? 'a link gives it another name, and ' : `it is also ${name}, and `

/** Reports whether a link of this name matters: the name or something below it is protected, secret or ruled. */
export const nameMatters = (policy: Policy, name: string): boolean =>
  isProtectedName(policy, name) ||
  isSecretFile(name) ||
  isSecretFile(`${name}/*`) ||
  levelsOf(policy).some(({ rules }) =>
    rules.all.some(
      ({ verdict, path, matcher }) =>
        verdict !== 'allow' &&
        path !== undefined &&
        (matcher.touches(name, foldPath(name)) !== 'none' || matcher.reaches(name)),
    ),
  )

/** Reports whether changes of this name are refused or asked about whatever the rules. */
export const isProtectedName = ({ protection }: Policy, name: string): boolean =>
  protectedPlace(name, protection) !== undefined
