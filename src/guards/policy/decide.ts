import type { Claim, KeptOrigin } from '../../kernel/claim.ts'
import { protectedPlace, reservedOnWindows, type Protected } from './builtin.ts'
import { foldPath } from '../../kernel/fold-name.ts'
import { hiddenBy, opensSecrets } from './hidden-paths.ts'
import { permissionFor } from './permission.ts'
import type { Fit } from './matcher.ts'
import { normalPath, subtreeOf } from './normal-path.ts'
import { demandOfNames, withDemand } from './other-names.ts'
import { withNamedRepository, type Policy } from './policy.ts'
import type { CompiledRule } from './rule.ts'
import { isSecretFile } from '../../kernel/secret-files.ts'
import { isStricter, stricterOf, type Verdict } from '../verdict.ts'
import { commandParser } from './command-parser.ts'
import { decideKept } from './decide-kept.ts'
import type { Decision } from './decision.ts'
import type { Judged } from '../shell/judge-command.ts'

export type { Decision }

/**
 * Returns the strictest verdict over all claims. Each takes its strictest matching rule, else the default, else ask.
 */
export function decide(policy: Policy, claims: readonly Claim[]): Decision {
  let worst: Decision = {
    verdict: 'allow',
    why: claims.length === 0 ? 'it touches nothing' : 'every claim is allowed',
    filters: [],
  }
  const filters = new Set<string>()
  let allowing: string | undefined
  for (const claim of claims) {
    // Nothing else can wait: a read, run or request has happened by then.
    if (claim.later && (claim.action === 'write' || claim.action === 'create')) continue
    const decision = decideClaim(policy, claim)
    allowing ??= decision.rule
    for (const filter of decision.filters) filters.add(filter)
    const firstAlways = decision.always && decision.verdict === worst.verdict && !worst.always
    if (firstAlways || isStricter(decision.verdict, worst.verdict)) worst = decision
  }
  const ownDecision: Decision = {
    ...worst,
    ...(worst.verdict === 'allow' && allowing !== undefined && { rule: allowing }),
    filters: [...filters],
  }
  return policy.within ? stricterDecision(decide(policy.within, claims), ownDecision) : ownDecision
}

/** Judges showing what an earlier call answered, which nothing names. Deny and ask say why. */
export function decideAnswer(policy: Policy, what: string, origin: KeptOrigin): Decision {
  const claim = { action: 'read' as const, resource: what, origin }
  const ownDecision: Decision = { verdict: 'allow', why: 'no rule is against it', claim, filters: [] }
  const decision = decideKept(policy, claim, ownDecision, each => decideByRules(policy, each))
  return policy.within ? stricterDecision(decideAnswer(policy.within, what, origin), decision) : decision
}

function stricterDecision(one: Decision, other: Decision): Decision {
  const isOther = isStricter(other.verdict, one.verdict) || (other.verdict === one.verdict && other.always)
  return { ...(isOther ? other : one), filters: [...new Set([...one.filters, ...other.filters])] }
}

function decideClaim(policy: Policy, claim: Claim): Decision {
  const decision = decideByRules(policy, claim)
  if (claim.asks === undefined || decision.verdict === 'deny' || decision.always) return decision
  const { filters } = decision
  return { verdict: 'ask', why: `${claim.action} ${claim.resource}: ${claim.asks}`, claim, filters, always: true }
}

function decideByRules(policy: Policy, claim: Claim): Decision {
  if (claim.origin !== undefined) {
    const { origin, ...claimAlone } = claim
    return decideKept(policy, { ...claimAlone, origin }, decideByRules(policy, claimAlone), each =>
      decideByRules(policy, each),
    )
  }
  if (claim.action === 'exec') return decideCommand(policy, claim)
  const isFile = claim.action === 'read' || claim.action === 'create' || claim.action === 'write'
  if (!isFile) return decideResource(policy, claim)
  const decision = decidePath(policy, claim)
  // Restoring the repository brings back references that are gone.
  if ((!claim.creates && !claim.restores) || decision.verdict === 'deny') return decision
  const creation = decidePath(policy, { ...claim, action: 'create' })
  return isStricter(creation.verdict, decision.verdict) ? { ...creation, claim } : decision
}

/** Judges a command line. Every command must be allowed, and none may show an unreadable file from git's history. */
function decideCommand(policy: Policy, claim: Claim): Decision {
  const subject = judgedAs(claim)
  const unreadable = policy.rules.byAction.read.filter(({ verdict }) => verdict === 'deny')
  const history = commandParser().shownHistory(claim, unreadable, policy.history)
  const historic: Decision | undefined = history && {
    verdict: history.verdict,
    why: `${subject}${clip(history.what)}, and ${history.rule.why ?? `rule ${history.rule.id}`}`,
    rule: history.rule.id,
    claim,
    filters: [],
  }
  if (historic?.verdict === 'deny') return historic
  const rules = policy.rules.byAction.exec.map(({ matcher, ...rule }) => ({
    ...rule,
    prefix: matcher.prefix ?? [],
    lastBegins: matcher.lastBegins,
  }))
  const { input } = claim
  const fallback = policy.defaults.exec ?? 'ask'
  const judgement = commandParser().judgeCommand(claim.resource, {
    rules,
    fallback,
    input,
    ground: policy.allowList?.why,
  })
  const isUnread = judgement.verdict === 'allow' && commandParser().lacksSecondParser(claim.resource)
  const { verdict, why, part, others, grantable, always, empty, ...by } = isUnread ? UNREAD : judgement
  // The list refuses commands that are not on it, and no permission would help.
  const rule = by.rule ?? (verdict === 'deny' && !empty ? policy.allowList?.rule : undefined)
  if (historic && verdict === 'allow') return historic
  return {
    verdict,
    why: `${subject}${part === undefined || part === claim.resource ? '' : `'${clip(part)}': `}${why}${othersIn(others)}`,
    claim,
    filters: [],
    ...(rule !== undefined && { rule }),
    ...(verdict !== 'allow' && rule === undefined && !empty && missingFor(part ?? claim.resource, grantable)),
    ...(always && { always }),
  }
}

/** Returns the permissions for all of a line, so that a refusal names all of them at once. */
function missingFor(part: string, others: readonly string[] = []): Pick<Decision, 'missing' | 'alsoMissing'> {
  const [missing = 'exec', ...alsoMissing] = new Set(
    [part, ...others].map(resource => permissionFor({ action: 'exec', resource })),
  )
  // A part that no narrower permission can name needs the whole kind, which covers every other.
  if (missing === 'exec' || alsoMissing.includes('exec')) return { missing: 'exec' }
  return { missing, ...(alsoMissing.length > 0 && { alsoMissing }) }
}

const UNREAD: Judged = { verdict: 'ask', why: 'the second parser of command lines is not loaded', empty: true }

const NAMED = 5

function othersIn(others: readonly string[] = []): string {
  if (others.length === 0) return ''
  const more = others.length > NAMED ? ` and ${others.length - NAMED} more` : ''
  return `; the same goes for ${others
    .slice(0, NAMED)
    .map(part => `'${clip(part)}'`)
    .join(', ')}${more}`
}

/** The beginning of a reason: the claim that it is about. */
export const judgedAs = ({ action, resource }: Claim): string => `${action} ${clip(resource)}: `

const clip = (text: string): string => (text.length > 300 ? `${text.slice(0, 299)}…` : text)

function decideResource(policy: Policy, claim: Claim): Decision {
  const hits: Hit[] = []
  for (const rule of policy.rules.byAction[claim.action]) {
    if (rule.verdict === 'allow') {
      if (rule.matcher.matches(claim.resource)) hits.push({ rule, verdict: 'allow', whole: true })
      continue
    }
    const fit = rule.matcher.touches(claim.resource)
    if (fit !== 'none') hits.push({ rule, verdict: fit === 'near' ? 'ask' : rule.verdict, whole: fit === 'whole' })
  }
  return withNamedRepository(policy, claim, judge(policy, claim, claim.resource, hits))
}

function decidePath(policy: Policy, claim: Claim): Decision {
  const isWindows = policy.protection?.platform === 'win32'
  const path = normalPath(isWindows ? claim.resource.replaceAll('\\', '/') : claim.resource)
  if (path === undefined)
    return {
      verdict: 'deny',
      why: `'${claim.resource}' is outside the workspace`,
      rule: 'builtin:outside',
      claim,
      filters: [],
    }
  const whyReserved = claim.memory ? undefined : reservedOnWindows(path, policy.protection?.platform)
  if (whyReserved !== undefined)
    return { verdict: 'deny', why: whyReserved, rule: 'builtin:windows', claim, filters: [] }

  const directory = subtreeOf(path)
  const filters: string[] = []
  const hits: Hit[] = []
  const alias = foldPath(path)
  for (const rule of rulesFor(policy, claim, directory)) {
    const fit = directory === undefined ? fitsPath(rule, claim, path, alias) : fitsTree(rule, claim, directory, filters)
    if (fit !== 'none') hits.push({ rule, verdict: rule.verdict, whole: fit === 'whole' })
  }
  const decision =
    claim.action === 'read'
      ? judge(policy, claim, path, hits, { isSecret: directory === undefined && holdsSecrets(policy, claim, path) })
      : judge(policy, claim, path, hits, { guard: guardOf(placesFor(policy, claim), path, directory, hits) })
  const filteredDecision = filters.length > 0 ? { ...decision, filters } : decision
  const demand = demandOfNames(policy, claim, path)
  return demand ? withDemand(filteredDecision, claim, path, demand) : filteredDecision
}

/** Writing anything below a directory creates files too, so rules against that count. */
function rulesFor({ rules }: Policy, { action }: Claim, directory: string | undefined): readonly CompiledRule[] {
  if (action !== 'write' || directory === undefined) return rules.byAction[action]
  return rules.byAction.create.filter(
    ({ verdict, matcher }) => verdict !== 'allow' || matcher.actions.includes('write'),
  )
}

/** An undo of ours restores the repository as a command left it, which the rules judge like any write. */
const placesFor = (policy: Policy, { restores, resource }: Claim): Policy =>
  restores && resource === '.git'
    ? { ...policy, protection: { ...policy.protection, granted: ['.git'], kept: [] } }
    : policy

/** A moved path may be a directory, whose files would be read under other names. */
const holdsSecrets = ({ asksForSecrets = false }: Policy, { link }: Claim, path: string): boolean =>
  asksForSecrets && (isSecretFile(path) || (link === true && isSecretFile(`${path}/*`)))

/** A claim on a name that may be a directory (delete, move) also meets rules that name something inside it. */
function fitsPath({ verdict, matcher }: CompiledRule, claim: Claim, path: string, alias: string): Fit {
  if (verdict === 'allow') return matcher.matches(path) ? 'whole' : 'none'
  const fit = matcher.touches(path, alias)
  return fit === 'none' && claim.link === true && matcher.names(path) ? 'near' : fit
}

/** A rule over all of a tree allows it; an ask or a deny over a part of it filters a read and decides a write. */
function fitsTree({ verdict, matcher, path }: CompiledRule, claim: Claim, directory: string, filters: string[]): Fit {
  if (matcher.covers(directory)) return 'whole'
  if (verdict === 'allow' || !matcher.reaches(directory)) return 'none'
  if (claim.action !== 'read') return 'near'
  filters.push(path ?? '**')
  return 'none'
}

/**
 * Judges the place itself. `permitsInside` judges protected names inside a claimed directory one by one. A claim on the
 * whole workspace asks unless the user's own rule names it, and is refused if something in it is hidden from commands.
 */
function guardOf(
  policy: Policy,
  path: string,
  directory: string | undefined,
  hits: readonly Hit[],
): Protected | undefined {
  const guard = protectedPlace(directory ?? path, policy.protection)
  if (directory !== '' || guard?.verdict === 'deny') return guard
  const rule = 'builtin:workspace'
  const hides = hiddenBy(policy)
  // A grant of all writes but not all reads means files. A background command is refused at its start.
  if (hides && hides.unseen === undefined)
    return { verdict: 'deny', rule, why: 'a rule hides files, which could not be hidden from a background command' }
  if (hits.some(namesWorkspace)) return guard
  return { verdict: 'ask', rule, why: 'the whole workspace may be written, at any time and without undo' }
}

/** A permission to write without a place covers single files. Only a place that is the workspace itself names it. */
const namesWorkspace = ({ rule: { verdict, path, source } }: Hit): boolean =>
  verdict === 'allow' && path === '**' && (source === 'user' || source === 'permission')

interface Hit {
  readonly rule: CompiledRule
  readonly verdict: Verdict
  /** The rule covers all of the claim; only then may it replace the default. */
  readonly whole: boolean
}

/** Properties of a place that do not depend on rules. */
interface Place {
  readonly guard?: Protected | undefined
  /** No one reads it by default. */
  readonly isSecret?: boolean
}

function judge(policy: Policy, claim: Claim, shown: string, hits: readonly Hit[], place: Place = {}): Decision {
  const { action } = claim
  const { guard, isSecret = false } = place
  const usual = usualFor(policy, claim)
  const fallback = isSecret ? stricterOf(usual, 'ask') : usual
  const isDefaultReplaced = hits.some(
    ({ whole, rule }) =>
      whole && rule.narrows !== true && (!isSecret || rule.verdict !== 'allow' || opensSecrets(rule)),
  )
  const first = isDefaultReplaced ? 'allow' : fallback
  const strictest = hits.reduce<Verdict>((verdict, hit) => stricterOf(verdict, hit.verdict), first)
  const verdict = guard ? stricterOf(strictest, guard.verdict) : strictest
  const what = `${action} ${shown === '' ? '.' : shown}`
  if (guard && !isStricter(strictest, guard.verdict))
    return refuseOrAsk(verdict, `${what}: ${guard.why}`, guard.rule, claim, guard)

  const decisive = hits.find(hit => hit.verdict === verdict)?.rule
  const always = hits.some(hit => hit.rule.always === true && hit.verdict === 'ask')
  const reason = decisive
    ? (decisive.why ?? `rule ${decisive.id}`)
    : isSecret && usual !== verdict
      ? 'files of this name hold secrets, and reading them needs approval'
      : `no rule, and the default for ${action} is ${verdict}`
  return {
    verdict,
    why: `${what}: ${reason}`,
    claim,
    filters: [],
    ...(decisive && { rule: decisive.id }),
    ...(verdict !== 'allow' && !decisive && { missing: permissionFor(claim) }),
    ...(always && verdict === 'ask' && { always }),
  }
}

/** Returns the default for a claim. Writing anything below a directory creates files too. */
function usualFor({ defaults }: Policy, { action, resource }: Claim): Verdict {
  const usual = defaults[action] ?? (action === 'create' ? defaults.write : undefined) ?? 'ask'
  const isTree = action === 'write' && subtreeOf(resource) !== undefined
  return isTree ? stricterOf(usual, defaults.create ?? usual) : usual
}

const refuseOrAsk = (verdict: Verdict, why: string, rule: string, claim: Claim, guard: Protected): Decision => ({
  verdict,
  why,
  rule,
  claim,
  filters: [],
  ...(guard.verdict === 'ask' && { always: true as const }),
})
