import { ToolError } from '../../kernel/error.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import type { Budget, ToolBudget } from '../../kernel/tool.ts'

/** Used part of a budget. */
export interface Usage {
  readonly calls: number
  readonly bytes: number
  /** Calls that run now; they and their reserved bytes are part of the counts above. */
  readonly concurrent: number
  /** Number of different things returned, if the tool names them. */
  readonly given?: number
}

/** Quantities that a budget limits. */
export const COUNTED = ['calls', 'bytes', 'concurrent'] as const satisfies readonly (keyof Budget)[]

/** Throws `budget_exceeded` if the request does not fit beside the usage. */
export function refuseExcess(usage: Usage, ask: Omit<Usage, 'given'>, task: string, budget: ToolBudget): void {
  for (const what of COUNTED) {
    const limit = budget[what]
    if (limit === undefined || ask[what] === 0 || usage[what] + ask[what] <= limit) continue
    const unit = what === 'concurrent' ? 'calls at the same time' : what
    throw new ToolError(
      'budget_exceeded',
      `The budget of ${budget.tool === '*' ? 'all tools' : `'${budget.tool}'`} in task '${task}' is spent: ${usage[what]} of ${limit} ${unit} used, ${ask[what]} more asked.`,
      {
        hint: HINTS[what](task),
        details: {
          budget: what,
          task,
          tools: budget.tool,
          used: usage[what],
          limit,
          asked: ask[what],
          calls: usage.calls,
          bytes: usage.bytes,
          given: usage.given ?? 0,
        },
      },
    )
  }
}

const wayOut = (task: string): string =>
  `or have the budget raised, or reset with: ${quoteArgv(['toolwright', 'budget', 'reset', task])}`

const HINTS = {
  calls: (task: string) => `Work with the results you have, ${wayOut(task)}`,
  bytes: (task: string) => `Ask for less at a time, ${wayOut(task)}`,
  concurrent: () => 'Wait for a call to end.',
}
