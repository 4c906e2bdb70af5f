import { ToolError } from '../../kernel/error.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import type { Budget, ToolBudget } from '../../kernel/tool.ts'

/** What of a budget is used. */
export interface Usage {
  readonly calls: number
  readonly bytes: number
  /** Calls that run now; they and the bytes they reserved are part of the counts above. */
  readonly concurrent: number
  /** How many different things were given, where the tool names them. */
  readonly given?: number
}

/** What a budget limits. */
export const COUNTED = ['calls', 'bytes', 'concurrent'] as const satisfies readonly (keyof Budget)[]

/** Throws `budget_exceeded` if what is asked for does not fit beside what is used. */
export function refuseExcess(used: Usage, ask: Omit<Usage, 'given'>, task: string, budget: ToolBudget): void {
  for (const what of COUNTED) {
    const limit = budget[what]
    if (limit === undefined || ask[what] === 0 || used[what] + ask[what] <= limit) continue
    const unit = what === 'concurrent' ? 'calls at the same time' : what
    throw new ToolError(
      'budget_exceeded',
      `The budget of ${budget.tool === '*' ? 'all tools' : `'${budget.tool}'`} in task '${task}' is spent: ${used[what]} of ${limit} ${unit} used, ${ask[what]} more asked.`,
      {
        hint: HINTS[what](task),
        details: {
          budget: what,
          task,
          tools: budget.tool,
          used: used[what],
          limit,
          asked: ask[what],
          calls: used.calls,
          bytes: used.bytes,
          given: used.given ?? 0,
        },
      },
    )
  }
}

const wayOut = (task: string): string =>
  `or have the budget raised, or given back with: ${quoteArgv(['toolwright', 'budget', 'reset', task])}`

const HINTS = {
  calls: (task: string) => `Work with what is known already, ${wayOut(task)}`,
  bytes: (task: string) => `Ask for less at a time, ${wayOut(task)}`,
  concurrent: () => 'Wait for a call to end.',
}
