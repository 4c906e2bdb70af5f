import type { Action, Claim } from '../../kernel/claim.ts'
import type { HiddenPaths } from '../../kernel/hidden-paths.ts'
import { once } from '../../kernel/once.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import { decide } from './decide.ts'
import { isTouched, levelsOf, openingsOf } from './hidden-paths.ts'
import { UNTIDY } from './normal-path.ts'
import { listingPolicy, type Policy } from './policy.ts'
import { isStricter, type Verdict } from '../verdict.ts'

/**
 * Reports whether a path inside a claimed directory may be touched: never if it is denied, and not if it asks while the
 * claim itself was allowed without a question.
 */
export const permitsInside = (policy: Policy, action: Action, callVerdict: Verdict): ((path: string) => boolean) => {
  const isOpen = action === 'read' && opensAllReading(policy)
  return path => {
    // Nothing could close it. A listing asks about every name.
    if (isOpen && !UNTIDY.test(path) && !(holdsSecretsSomewhere(policy) && isSecretByAnyName(policy, path))) return true
    const { verdict } = decide(policy, [{ action, resource: path }])
    return verdict !== 'deny' && !isStricter(verdict, callVerdict)
  }
}

const isSecretByAnyName = ({ places }: Policy, path: string): boolean =>
  isSecretFile(path) || places?.namesOf(path).some(isSecretFile) === true

const open = new WeakMap<Policy, boolean>()

/** Reports whether no default and no rule of a policy closes any place, so that only names of secret files matter. */
function opensAllReading(policy: Policy): boolean {
  const isOpenNow = open.get(policy)
  if (isOpenNow !== undefined) return isOpenNow
  const opensAll = levelsOf(policy).every(
    ({ defaults, rules, protection }) =>
      defaults.read === 'allow' &&
      protection?.platform !== 'win32' &&
      rules.byAction.read.every(({ verdict }) => verdict === 'allow'),
  )
  open.set(policy, opensAll)
  return opensAll
}

const holdsSecretsSomewhere = (policy: Policy): boolean =>
  policy.asksForSecrets === true || (policy.within !== undefined && holdsSecretsSomewhere(policy.within))

const hiddenByVerdict = new WeakMap<Policy, Map<Verdict, HiddenPaths | undefined>>()

/**
 * Returns what a call may not read by rules and defaults, given the verdict on its own reading; undefined if it may
 * read everything. Cached for each policy.
 */
export function unreadableBy(policy: Policy, callVerdict: Verdict): HiddenPaths | undefined {
  const pathsByVerdict = hiddenByVerdict.get(policy) ?? new Map<Verdict, HiddenPaths | undefined>()
  hiddenByVerdict.set(policy, pathsByVerdict)
  if (!pathsByVerdict.has(callVerdict)) pathsByVerdict.set(callVerdict, unreadable(policy, callVerdict))
  return pathsByVerdict.get(callVerdict)
}

function unreadable(policy: Policy, decided: Verdict): HiddenPaths | undefined {
  const isKept = (verdict: Verdict) => verdict === 'deny' || isStricter(verdict, decided)
  const rules = levelsOf(policy).flatMap(({ rules: { byAction } }) =>
    byAction.read.filter(({ verdict }) => isKept(verdict)),
  )
  const openings = openingsOf(policy, isKept)
  if (rules.length === 0 && openings.length === 0) return undefined
  const isClosed = (directory: string) =>
    openings.some(allowing => !allowing.some(({ matcher }) => matcher.reaches(directory)))
  const mayRead = permitsInside(listingPolicy(policy), 'read', decided)
  return {
    matches(path, isDirectory = false) {
      const names = [path, ...(policy.places?.namesOf(path) ?? [])]
      if (names.some(name => isTouched(rules, name))) return true
      return openings.length > 0 && (isDirectory ? isClosed(path) : !mayRead(path))
    },
    covers: directory => rules.some(({ matcher }) => matcher.covers(directory)) || isClosed(directory),
    reaches: directory => openings.length > 0 || rules.some(({ matcher }) => matcher.reaches(directory)),
    names: directory => rules.some(({ matcher }) => matcher.names(directory)),
  }
}

interface ReadablePaths {
  /** Returns the verdict on the call's own reading. */
  decided(): Verdict
  mayRead(path: string): boolean
  /** Reports whether the name of a file may be shown. */
  mayList(path: string): boolean
}

/** Returns what one call may read, once it is known whether it was approved. */
export function readablePaths(policy: Policy, claims: readonly Claim[], isApproved: () => boolean): ReadablePaths {
  const readVerdict = once(() => decide(policy, claims.filter(isRead)).verdict)
  const callVerdict = () => (isApproved() ? readVerdict() : 'allow')
  const isOpen = permitsInside(policy, 'read', 'allow')
  let listing: { readonly decided: Verdict; readonly permits: (path: string) => boolean } | undefined
  const mayList = (path: string) => {
    const verdict = callVerdict()
    if (listing?.decided !== verdict)
      listing = { decided: verdict, permits: permitsInside(listingPolicy(policy), 'read', verdict) }
    return listing.permits(path)
  }
  const isNamed = (path: string) => claims.some(claim => isRead(claim) && claim.resource === path)
  return {
    decided: callVerdict,
    mayList,
    // Approval for a directory covers its contents, except what a rule denies and what holds secrets.
    mayRead: path =>
      isOpen(path) || (callVerdict() !== 'allow' && mayList(path) && (!isSecretFile(path) || isNamed(path))),
  }
}

const isRead = ({ action }: Claim): boolean => action === 'read'
