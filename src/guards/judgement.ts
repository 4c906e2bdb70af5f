import type { EffectsRules } from '../kernel/edit-effects.ts'
import { isTool } from '../kernel/is-tool.ts'
import type { Budget, ToolBudget } from '../kernel/tool.ts'
import { budgetsOf, type BudgetRule } from './budget.ts'
import type { Policy } from './policy/policy.ts'
import { sessionPolicy, type Configured, type Granted } from './policy/session-policy.ts'
import { demandJustification, planFirst, type Demand } from './workflow.ts'

/** The part of a configuration that judges calls; plain data. */
export interface JudgedBy extends Configured {
  readonly limits: { readonly answerBytes: number }
  readonly budgets: readonly BudgetRule[]
  readonly plans: { readonly require: readonly string[] }
  /** Whether a call that should give a justification is refused without one. */
  readonly justifications: 'record' | 'require'
  readonly approvals: { readonly expireMs: number }
  /** Timeouts of calls in milliseconds, by the names of tools. */
  readonly timeouts?: Readonly<Record<string, number>>
  readonly loadMs?: number
  readonly effects?: EffectsRules
}

/** Everything in a session that decides about calls without acting. */
interface Judgement {
  readonly policy: Policy
  readonly answerBytes: number
  readonly budgets: (task: string, tool: string, own: Budget | undefined) => readonly ToolBudget[]
  /** Returns the milliseconds that a call of a tool may take; undefined for the general default. */
  readonly timeout: (tool: string, own: number | undefined) => number | undefined
  /** How long a language server or an embedding model may load before a call fails. */
  readonly loadMs: number
  /** The demands on the order of work. */
  readonly demands: readonly Demand[]
  /** How long an `always` is remembered unless the person says otherwise. */
  readonly approvalMs: number
  /** What answers report about changes, and which changes are refused. */
  readonly effects: EffectsRules
}

/** How long a language server or an embedding model may load, unless the configuration says otherwise. */
export const LOAD_MS = 20_000

/** The default, for example for calls recorded before effects existed. */
export const NO_EFFECTS: EffectsRules = { mode: 'off', deadlineMs: 300, refuse: 'nothing' }

/** Returns the judgement. The same configuration and grants judge the same, also when calls are replayed. */
export const judgementOf = (config: JudgedBy, grants: Granted): Judgement => ({
  policy: sessionPolicy(config, grants),
  answerBytes: config.limits.answerBytes,
  budgets: (task, tool, limits) => budgetsOf(config.budgets, { task, tool }, limits),
  timeout: (tool, own) => timeoutOf(config.timeouts ?? {}, tool, own),
  loadMs: config.loadMs ?? LOAD_MS,
  demands: [
    ...(config.plans.require.length > 0 ? [planFirst(config.plans.require)] : []),
    ...(config.justifications === 'require' ? [demandJustification] : []),
  ],
  approvalMs: config.approvals.expireMs,
  effects: config.effects ?? NO_EFFECTS,
})

/** Returns the timeout of a tool in milliseconds: the most exact of the matching names counts, else the tool's own. */
export function timeoutOf(
  timeouts: Readonly<Record<string, number>>,
  tool: string,
  toolTimeout: number | undefined,
): number | undefined {
  const bestName = Object.keys(timeouts)
    .filter(name => isTool(name, tool))
    .toSorted((one, other) => exactness(other) - exactness(one))[0]
  return bestName === undefined ? toolTimeout : timeouts[bestName]
}

const exactness = (name: string): number => (name === '*' ? 0 : !name.includes('/') ? 1 : name.endsWith('/*') ? 2 : 3)
