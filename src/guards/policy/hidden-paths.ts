import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import type { PlaceNames } from '../../kernel/place-names.ts'
import type { SecretReading } from '../../kernel/secret-files.ts'
import { foldPath } from '../../kernel/fold-name.ts'
import type { Policy } from './policy.ts'
import type { CompiledRule } from './rule.ts'
import type { Verdict } from '../verdict.ts'

const hidesByPolicy = new WeakMap<Policy, HiddenPaths | undefined>()

/**
 * Returns what a command must not read: places that a rule denies or asks for. If reading is denied by default, also
 * everything that no rule or permission opens. A default that asks hides nothing: a caller who may run commands in a
 * workspace may read what no rule mentions.
 */
export function hiddenBy(policy: Policy): HiddenPaths | undefined {
  if (!hidesByPolicy.has(policy)) hidesByPolicy.set(policy, hidesOf(rulesOf(policy), closingOf(policy), policy.places))
  return hidesByPolicy.get(policy)
}

/** Returns a policy and the enclosing ones. */
export const levelsOf = (policy: Policy): readonly Policy[] => [
  policy,
  ...(policy.within ? levelsOf(policy.within) : []),
]

/** Returns, for each policy that denies reading by default, the rules that open some places. */
export const openingsOf = (
  policy: Policy,
  isKept: (verdict: Verdict) => boolean,
): readonly (readonly CompiledRule[])[] =>
  levelsOf(policy)
    .filter(({ defaults }) => isKept(defaults.read ?? 'ask'))
    .map(level => level.rules.byAction.read.filter(({ verdict, narrows }) => verdict === 'allow' && narrows !== true))

const rulesOf = ({ rules, within }: Policy): readonly CompiledRule[] => [
  ...rules.byAction.read.filter(({ verdict, path }) => verdict !== 'allow' && path !== undefined),
  ...(within ? rulesOf(within) : []),
]

/** The openings of each policy that closes all other places. */
const closingOf = (policy: Policy): readonly (readonly CompiledRule[])[] =>
  openingsOf(policy, verdict => verdict === 'deny').filter(openings => !coverAll(openings, ''))

const coverAll = (openings: readonly CompiledRule[], directory: string): boolean =>
  openings.some(({ matcher }) => matcher.covers(directory))

function hidesOf(
  rules: readonly CompiledRule[],
  closing: readonly (readonly CompiledRule[])[],
  places: PlaceNames | undefined,
): HiddenPaths | undefined {
  if (rules.length === 0 && closing.length === 0) return undefined
  // A repository shows every file that was ever committed, so it is visible as a whole or not at all.
  const isClosed = (directory: string): boolean =>
    closing.some(openings =>
      isRepository(directory)
        ? !coverAll(openings, directory)
        : !openings.some(({ matcher }) => matcher.reaches(directory)),
    )
  const isRuled = (path: string): boolean =>
    isTouched(rules, path) || places?.namesOf(path).some(name => isTouched(rules, name)) === true
  return {
    matches(path, isDirectory = false) {
      if (isRuled(path)) return true
      if (isDirectory) return isClosed(path)
      return closing.some(openings => !openings.some(({ matcher }) => matcher.matches(path)))
    },
    covers: directory => coverAll(rules, directory) || isClosed(directory),
    reaches: directory =>
      closing.some(openings => !coverAll(openings, directory)) ||
      rules.some(({ matcher }) => matcher.reaches(directory)),
    names: directory => rules.some(({ matcher }) => matcher.names(directory)),
    ...(closing.length > 0 && { unseen: unseenBy(closing), byRules: { matches: isRuled } }),
  }
}

/** Reports whether one of these rules applies to a path. */
export function isTouched(rules: readonly CompiledRule[], path: string): boolean {
  const alias = foldPath(path)
  return rules.some(({ matcher }) => matcher.touches(path, alias) !== 'none')
}

const isRepository = (directory: string): boolean => /(^|\/)\.git$/i.test(directory)

/** The note in a command's answer if hidden files may have affected it. */
const unseenBy = (closing: readonly (readonly CompiledRule[])[]): string =>
  closing.some(openings => openings.length === 0)
    ? 'The workspace appears empty to the command: the permission fs:read is missing'
    : 'The command sees only what its read permissions (fs:read:…) open; the rest of the workspace is hidden from it'

/** Reports whether a rule opens files that hold secrets. No file of a repository does, trusted or not. */
export const opensSecrets = ({ verdict, narrows, source }: CompiledRule): boolean =>
  verdict === 'allow' && narrows !== true && source !== 'project'

const readings = new WeakMap<Policy, SecretReading>()

/** Returns how many of the files that hold secrets a policy opens, before its other rules apply. */
export function secretReading(policy: Policy): SecretReading {
  const before = readings.get(policy)
  if (before) return before
  const levels = levelsOf(policy)
    .filter(({ asksForSecrets }) => asksForSecrets)
    .map(({ rules }) => rules.byAction.read.filter(opensSecrets))
  const secretLevel = levels.some(openings => openings.length === 0)
    ? 'closed'
    : levels.every(openings => openings.some(({ matcher }) => matcher.covers('')))
      ? 'open'
      : 'some'
  readings.set(policy, secretLevel)
  return secretLevel
}
