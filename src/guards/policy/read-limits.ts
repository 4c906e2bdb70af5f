import { hash } from 'node:crypto'
import type { ReadLimits } from '../../kernel/claim.ts'
import { once } from '../../kernel/once.ts'
import type { Verdict } from '../verdict.ts'
import { levelsOf, opensSecrets } from './hidden-paths.ts'
import type { Policy } from './policy.ts'
import type { CompiledRule } from './rule.ts'

/** A place that a policy keeps from reading. */
interface Limit {
  readonly verdict: Verdict
  readonly what: string
  readonly rule?: string
}

const limits = { approved: new WeakMap<Policy, ReadLimits>(), unapproved: new WeakMap<Policy, ReadLimits>() }

/** Returns what a policy keeps from calls; from an approved one only what it denies. Cached for each policy. */
export function readLimits(policy: Policy, isApproved: boolean): ReadLimits {
  const cache = limits[isApproved ? 'approved' : 'unapproved']
  const cachedLimits = cache.get(policy) ?? limitsIn(levelsOf(policy), isApproved)
  cache.set(policy, cachedLimits)
  return cachedLimits
}

function limitsIn(levels: readonly Policy[], isApproved: boolean): ReadLimits {
  return {
    rules: levels
      .flatMap(closingRules)
      .flatMap(({ verdict, path = '**' }) => (isApproved && verdict === 'ask' ? [] : path)),
    closed: levels.filter(isClosed).map(level => pathsOf(openings(level))),
    secrets: levels.filter(({ asksForSecrets }) => asksForSecrets).map(level => pathsOf(secretOpenings(level))),
  }
}

/**
 * Returns the strictest limit of one level of a policy that a call did not have; `directory` is the part of the
 * workspace that the call read, undefined for all that a command sees.
 */
export function newLimit(policy: Policy, before: ReadLimits, directory: string | undefined): Limit | undefined {
  const reachesDirectory = ({ matcher }: CompiledRule): boolean =>
    directory === undefined || matcher.covers(directory) || matcher.reaches(directory)
  const newRules = closingRules(policy).filter(
    rule => reachesDirectory(rule) && !before.rules.includes(rule.path ?? '**'),
  )
  const rule = newRules.find(({ verdict }) => verdict === 'deny') ?? newRules[0]
  if (rule?.verdict === 'deny') return limitOf(rule)
  if (isClosed(policy) && !isOpenedIn(openings(policy), before.closed))
    return { verdict: 'deny', what: 'reading is denied by default' }
  if (rule) return limitOf(rule)
  // The names of files with secrets hide nothing from a command.
  if (directory === undefined || !policy.asksForSecrets || isOpenedIn(secretOpenings(policy), before.secrets))
    return undefined
  return { verdict: 'ask', what: 'files that hold secrets need approval' }
}

const limitOf = ({ verdict, path = '**', id }: CompiledRule): Limit => ({
  verdict,
  what: `rule ${id} ${verdict === 'deny' ? 'denies' : 'asks about'} reading ${path}`,
  rule: id,
})

const closingRules = ({ rules }: Policy): readonly CompiledRule[] =>
  rules.byAction.read.filter(({ verdict }) => verdict !== 'allow')

const isClosed = ({ defaults }: Policy): boolean => defaults.read === 'deny'

const openings = ({ rules }: Policy): readonly CompiledRule[] =>
  rules.byAction.read.filter(({ verdict, narrows }) => verdict === 'allow' && narrows !== true)

const secretOpenings = ({ rules }: Policy): readonly CompiledRule[] => rules.byAction.read.filter(opensSecrets)

const pathsOf = (rules: readonly CompiledRule[]): readonly string[] => rules.map(({ path = '**' }) => path)

/** Reports whether rules open all that some policy opened before. */
function isOpenedIn(rules: readonly CompiledRule[], before: readonly (readonly string[])[]): boolean {
  if (rules.some(({ matcher }) => matcher.covers(''))) return true
  const now = new Set(pathsOf(rules))
  return before.some(paths => paths.every(path => now.has(path)))
}

const prints = new WeakMap<Policy, () => string>()

/** Returns a short text that is the same for policies that decide the same. Cached for each policy. */
export function policyPrint(policy: Policy): string {
  const cachedPrint = prints.get(policy)
  if (cachedPrint) return cachedPrint()
  const { defaults, rules, asksForSecrets, repositories } = policy
  const print = once(() => {
    const all = rules.all.map(rule => ({ ...rule, matcher: undefined }))
    return hash('sha256', JSON.stringify([defaults, all, asksForSecrets, repositories])).slice(0, 16)
  })
  prints.set(policy, print)
  return print()
}
