import type { EffectsRules } from '../kernel/edit-effects.ts'
import { isTool } from '../kernel/is-tool.ts'
import type { Budget, ToolBudget } from '../kernel/tool.ts'
import { budgetsOf, type BudgetRule } from './budget.ts'
import type { Policy } from './policy/policy.ts'
import { sessionPolicy, type Configured, type Granted } from './policy/session-policy.ts'
import { justified, planFirst, type Demand } from './workflow.ts'

/** The part of a configuration that calls are judged by; plain data. */
export interface JudgedBy extends Configured {
  readonly limits: { readonly answerBytes: number }
  readonly budgets: readonly BudgetRule[]
  readonly plans: { readonly require: readonly string[] }
  /** Reports whether a call that should say why it is needed is refused where it does not. */
  readonly justifications: 'record' | 'require'
  readonly approvals: { readonly expireMs: number }
  /** Milliseconds that calls may take, by the names of tools. */
  readonly timeouts?: Readonly<Record<string, number>>
  readonly effects?: EffectsRules
}

/** Everything in a session that decides about calls and does nothing. */
interface Judgement {
  readonly policy: Policy
  readonly answerBytes: number
  readonly budgets: (task: string, tool: string, own: Budget | undefined) => readonly ToolBudget[]
  /** Milliseconds that a call of a tool may take; undefined for what everything may. */
  readonly timeout: (tool: string, own: number | undefined) => number | undefined
  /** What the order of work demands. */
  readonly demands: readonly Demand[]
  /** How long an `always` is remembered unless the person says otherwise. */
  readonly approvalMs: number
  /** What is told of changes, and what they are refused for. */
  readonly effects: EffectsRules
}

/** What holds where nobody says anything, such as for calls that were recorded before there was anything to say. */
export const NO_EFFECTS: EffectsRules = { mode: 'off', deadlineMs: 300, refuse: 'nothing' }

/** The same configuration and grants judge the same, here and wherever calls are replayed. */
export const judgementOf = (config: JudgedBy, granted: Granted): Judgement => ({
  policy: sessionPolicy(config, granted),
  answerBytes: config.limits.answerBytes,
  budgets: (task, tool, limits) => budgetsOf(config.budgets, { task, tool }, limits),
  timeout: (tool, own) => timeoutOf(config.timeouts ?? {}, tool, own),
  demands: [
    ...(config.plans.require.length > 0 ? [planFirst(config.plans.require)] : []),
    ...(config.justifications === 'require' ? [justified] : []),
  ],
  approvalMs: config.approvals.expireMs,
  effects: config.effects ?? NO_EFFECTS,
})

/** What a call of this tool may take, in milliseconds: of all names that stand for it the most exact counts, and where none does the tool's own. */
export function timeoutOf(
  configured: Readonly<Record<string, number>>,
  tool: string,
  own: number | undefined,
): number | undefined {
  const named = Object.keys(configured)
    .filter(name => isTool(name, tool))
    .toSorted((one, other) => exactness(other) - exactness(one))[0]
  return named === undefined ? own : configured[named]
}

const exactness = (name: string): number => (name === '*' ? 0 : !name.includes('/') ? 1 : name.endsWith('/*') ? 2 : 3)
