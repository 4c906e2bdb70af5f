import type { Budget } from '../kernel/tool.ts'

/** A configured limit; without a tool or a task it holds for every one. */
export interface BudgetRule {
  /** A tool's id (`sage/Read`), or a whole contract (`sage/*`). */
  readonly tool?: string | undefined
  readonly task?: string | undefined
  readonly calls?: number | undefined
  readonly bytes?: number | undefined
  readonly concurrent?: number | undefined
}

/** The limits of one tool within one task: of each, the lowest that the tool or the configuration sets; undefined where none does. */
export function effectiveBudget(
  configured: readonly BudgetRule[],
  scope: { readonly task: string; readonly tool: string },
  own: Budget | undefined,
): Budget | undefined {
  const matching = configured.filter(
    rule => isTool(rule.tool, scope.tool) && (rule.task === undefined || rule.task === scope.task),
  )
  const all: readonly BudgetRule[] = own ? [own, ...matching] : matching
  if (all.length === 0) return undefined
  const lowest = (pick: (budget: BudgetRule) => number | undefined): number | undefined =>
    all
      .map(pick)
      .reduce((low, value) => (value !== undefined && (low === undefined || value < low) ? value : low), undefined)
  const calls = lowest(budget => budget.calls)
  const bytes = lowest(budget => budget.bytes)
  const concurrent = lowest(budget => budget.concurrent)
  return {
    ...(calls !== undefined && { calls }),
    ...(bytes !== undefined && { bytes }),
    ...(concurrent !== undefined && { concurrent }),
  }
}

/** Whether a tool's id is the one that is named: exactly, by its contract (`sage/*`), or every one. */
export function isTool(named: string | undefined, id: string): boolean {
  if (named === undefined || named === '*' || named === id) return true
  return named.endsWith('/*') && id.startsWith(named.slice(0, -1))
}
