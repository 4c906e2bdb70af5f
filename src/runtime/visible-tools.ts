import { deniesAll } from '../guards/policy/denies-all.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Action, Facts } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'

/** Returns the tools with at least one use that is not denied outright, judged by their own examples. */
export function visibleTools<Engines>(tools: readonly AnyTool<Engines>[], policy: Policy): readonly AnyTool<Engines>[] {
  const deniedActions = new Set(ACTIONS.filter(action => deniesAll(policy, action)))
  if (deniedActions.size === 0) return tools
  return tools.filter(tool => usesOf(tool).some(actions => !actions.some(action => deniedActions.has(action))))
}

const ACTIONS: readonly Action[] = ['read', 'create', 'write', 'exec', 'net']

/** Facts of a workspace with a commit, so that an undo has something to claim. */
const FACTS: Facts = { undoPaths: () => ['file'] }

/** Returns the actions of each example of a tool; everything that it may do if there is no example. */
function usesOf<Engines>(tool: AnyTool<Engines>): readonly (readonly Action[])[] {
  if (tool.examples.length === 0) return [tool.effects]
  return tool.examples.map(({ input }) => {
    const validation = tool.input.safeParse(input)
    if (!validation.success) return tool.effects
    try {
      return tool.claims(validation.data, FACTS).map(({ action }) => action)
    } catch {
      return tool.effects
    }
  })
}
