import { isTool } from '../kernel/is-tool.ts'
import type { Budget, ToolBudget } from '../kernel/tool.ts'

/** A configured limit; without a tool or a task it applies to every one. */
export interface BudgetRule {
  /** A tool's id (`sage/Read`), a whole contract (`sage/*`), or a name in every contract (`Read`). */
  readonly tool?: string | undefined
  readonly task?: string | undefined
  readonly calls?: number | undefined
  readonly bytes?: number | undefined
  readonly concurrent?: number | undefined
}

/**
 * Returns the limits of one call, each with the tools that it counts together. A rule counts the tools that it names; a
 * tool's own limits count that tool alone. Of several limits for the same tools, the lowest of each counts.
 */
export function budgetsOf(
  budgetRules: readonly BudgetRule[],
  scope: { readonly task: string; readonly tool: string },
  toolBudget: Budget | undefined,
): readonly ToolBudget[] {
  const matching = budgetRules.filter(
    rule => isTool(rule.tool, scope.tool) && (rule.task === undefined || rule.task === scope.task),
  )
  if (!toolBudget && matching.length === 0) return []
  const byTools = new Map<string, readonly BudgetRule[]>()
  for (const rule of toolBudget ? [{ ...toolBudget, tool: scope.tool }, ...matching] : matching) {
    const tools = rule.tool ?? '*'
    byTools.set(tools, [...(byTools.get(tools) ?? []), rule])
  }
  return Array.from(byTools, ([tool, rules]) => ({ tool, ...lowestOf(rules) }))
}

function lowestOf(rules: readonly BudgetRule[]): Budget {
  const lowest = (pick: (budget: BudgetRule) => number | undefined): number | undefined =>
    rules
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
