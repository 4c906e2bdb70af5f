import { ANY_VERSION, madeFor } from '../../../src/guards/approval/approval.ts'
import type { Effect } from '../../../src/kernel/claim.ts'
import type { ApprovalEntry } from '../../../src/runtime/approval-list.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { CannotRun } from '../row.ts'
import { isDamage, isMoment } from './approval-damage.ts'

/** A rule of a row: a pattern for one tool, and what became of it since. */
export interface RuleOfRow {
  readonly tool: string
  readonly pattern: string | null
  readonly [state: string]: unknown
}

/** What stands when the call of a row is made. */
export interface Standing {
  readonly rules: readonly { readonly entry: Omit<ApprovalEntry, 'id'>; readonly becomes: Becoming }[]
  readonly version: string
  /** The user's configuration. */
  readonly config: object
  /** A person says yes to this very call once, before it is made again. */
  readonly isUsedUp: boolean
  /** The rules are those of another user, or of another machine. */
  readonly isElsewhere: boolean
}

type Becoming = 'stays' | 'is removed' | 'is switched off' | 'is in a file that changed'

const HOUR = 3_600_000
const VERSION = '1.0.0'
export const EFFECTS: readonly Effect[] = ['create', 'exec', 'net']
const ACTIONS = ['create', 'write', 'exec', 'net']

const on = (value: unknown): boolean => value !== undefined && value !== false && value !== null && value !== 0

/** The names that a state may have, each with what it stands for. */
const NAMES = {
  inert: /^(id|at|why|note|name|created(_at)?|granted(_at)?|last_used(_at)?|tool|pattern)$/,
  author: /^((added|created|granted|written|approved)_)?by$|^who$|^author$|^(rule_)?source$/,
  elsewhere: /^(user|uid|owner|home|machine|host|computer)(_id|_changed)?$/,
  expired:
    /^(is_)?expired|^expired_once$|^clock_(moved_|rolled_|set_)?back$|^clock_(skew|rollback)$|^was_expired$|^expires_(during|while)/,
  expiry: /^(expires(_at|_in)?|now|clock|ttl)$/,
  removed: /^(is_)?(revoked|removed|deleted|withdrawn|forgotten|superseded)(_at|_by|_since|_(in|while|by|during)_.*)?$/,
  off: /^(is_)?(disabled|off|suspended|paused)(_at)?$/,
  enabled: /^(is_)?(enabled|active|on)$/,
  changedFile: /^rule_file_changed|^tampered|^(hash|mac|signature)_(mismatch|wrong)$/,
  session: /^session(_id|_ended|_over|_closed)?$|^(process_)?restart(ed)?$/,
  workspace: /^(workspace|root|repository|repo)(_id)?$/,
  task: /^task(_id)?$/,
  scope: /^scope$/,
  versionThen: /^(rule_|approved_|granted_|tool_)?(tool_)?version(_then|_at_grant|_approved|_when_granted)?$/,
  versionNow: /^((current|call)_(tool_)?version|(tool_)?version_now|new_(tool_)?version|tool_now)$/,
  changedTool:
    /^(tool|schema|effects|description)(_hash|_version|_schema|_effects|_description)?_(changed|updated|redefined|replaced)(_since.*)?$|^tool_redefined$/,
  effectsThen: /^(tool_)?effects(_then)?$/,
  changedPolicy:
    /^(policy|config|configuration)(_hash|_version)?_(changed|updated|differs|narrowed|tightened)(_since.*)?$|^(current_)?policy_(version|hash)(_then|_now)?$/,
  asks: /^(policy_)?(ask|asks|asked_by|ask_rule|always_ask)$/,
  denies:
    /^(policy_|also_|now_)?(deny|denies|denied(_by)?|deny_rule|overridden(_by)?|policy_denies)$|^(policy_now|conflicts_with)$/,
  used: /^(once|one_time|single_use|used(_up)?|uses|max_uses|use_count|consumed)$/,
  left: /^(uses_left|(remaining|left)_uses|uses_remaining)$/,
  narrowed: /^(narrowed(_to|_pattern)?|replaced_by|superseded_by)$/,
  others: /^(also|others?|rules|and|wider|narrower|second|shadow(s|ed_by)|beside)$/,
} satisfies Readonly<Record<string, RegExp>>

type Name = keyof typeof NAMES

/** Throws `CannotRun` for a state that stands for nothing here: the row would pass or fail for another reason. */
export function standingOf(rule: RuleOfRow, workspace: string): Standing {
  const state = stateOf(rule)
  const others = [state.others ?? []].flat().filter(isRule)
  const changed = on(state.changedTool)
  const then = text(state.versionThen) ?? VERSION
  const now = text(state.versionNow) ?? (changed ? '2.0.0' : state.versionThen === undefined ? then : VERSION)
  return {
    rules: [rule, ...others.map(other => ({ ...other, tool: text(other['tool']) ?? rule.tool }))].map(one => ({
      entry: { workspace, ...entryOf(one) },
      becomes: becomingOf(stateOf(one)),
    })),
    version: now,
    config: configOf(state),
    isUsedUp: on(state.used) || state.left === 0 || state.scope === 'once',
    isElsewhere: on(state.elsewhere),
  }
}

/** Returns one rule as it is stored. */
export function entryOf(rule: RuleOfRow): Omit<ApprovalEntry, 'id'> {
  const state = stateOf(rule)
  const now = Date.now()
  const [task, workspace] = [text(state.task), text(state.workspace)]
  const session = text(state.session) ?? (on(state.session) ? 'over' : undefined)
  const isForVersion = [state.versionThen, state.versionNow, state.changedTool, state.effectsThen].some(on)
  const effects = Array.isArray(state.effectsThen) ? state.effectsThen.map(String) : EFFECTS
  return {
    tool: `standin/${rule.tool}`,
    pattern: text(state.narrowed) ?? rule.pattern ?? '',
    scope: session !== undefined ? 'session' : task !== undefined ? 'task' : 'workspace',
    ...(session !== undefined && { session }),
    ...(task !== undefined && { task }),
    ...(workspace !== undefined && { workspace }),
    by: 'somebody',
    at: new Date(now - HOUR).toISOString(),
    expiresAt: new Date(now + timeLeft(rule, now)).toISOString(),
    enabled: state.enabled !== false,
    made: isForVersion ? madeFor({ version: text(state.versionThen) ?? VERSION, effects }) : ANY_VERSION,
    ...(on(state.changedPolicy) && { asked: ['default'] }),
  }
}

/** Reports whether a rule comes from what an agent may write: its own words, a tool's answer, a repository. */
export const isPlanted = (rule: RuleOfRow): boolean =>
  /agent|model|tool|output|repo|page|server|environment|project/i.test(String(stateOf(rule).author ?? ''))

/** Stores the rules of a row, and lets each become what it is when the call comes. */
export function store({ rules }: Standing, { workspace: { approvals } }: Toolkit, plant: (all: object) => void): void {
  for (const { entry, becomes } of rules) {
    if (becomes === 'is in a file that changed') plant({ version: 1, rules: [{ ...entry, id: 'planted' }] })
    if (becomes === 'is in a file that changed') continue
    const { id } = approvals.workspace.add(entry)
    if (becomes === 'is removed') approvals.workspace.remove(id)
    if (becomes === 'is switched off') approvals.workspace.setEnabled(id, false)
  }
}

function stateOf(rule: Readonly<Record<string, unknown>>): Partial<Record<Name, unknown>> {
  const state: Partial<Record<Name, unknown>> = {}
  for (const [field, value] of Object.entries(rule)) {
    if (isDamage(field)) continue
    const name = (Object.keys(NAMES) as Name[]).find(each => NAMES[each].test(field))
    if (name === undefined) throw new CannotRun(`no check stands for the state '${field}' of a rule`)
    state[name] = value
  }
  return state
}

function becomingOf(state: Partial<Record<Name, unknown>>): Becoming {
  if (on(state.changedFile)) return 'is in a file that changed'
  if (on(state.removed)) return 'is removed'
  return on(state.off) ? 'is switched off' : 'stays'
}

/** A policy that denies, or that asks since the rule was given, about all that a call may do. */
function configOf(state: Partial<Record<Name, unknown>>): object {
  const verdict = on(state.denies) ? 'deny' : on(state.asks) || on(state.changedPolicy) ? 'ask' : undefined
  if (verdict === undefined) return {}
  const always = on(state.asks) && { always: true }
  return { policy: { rules: ACTIONS.map(action => ({ action, verdict, ...always })) } }
}

/** Times of a row stand to each other as here; what is left of a moment is an hour, so that no clock decides the test. */
function timeLeft(rule: RuleOfRow, now: number): number {
  const { expires_at: expires, now: then } = rule
  if (on(stateOf(rule).expired)) return -1
  if (!isMoment(expires)) return HOUR
  const left = Date.parse(expires) - (typeof then === 'string' ? Date.parse(then) : now)
  return left >= 0 ? Math.max(left, HOUR) : left
}

const text = (value: unknown): string | undefined => {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}

const isRule = (value: unknown): value is RuleOfRow => typeof value === 'object' && value !== null && 'pattern' in value
