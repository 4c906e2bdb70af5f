import { deniesAll } from '../guards/policy/denies-all.ts'
import type { Policy } from '../guards/policy/policy.ts'
import type { Action, Facts } from '../kernel/claim.ts'
import type { AnyTool } from '../kernel/contract.ts'

/** The tools of which at least one use is not denied outright, as far as their own examples tell. */
export function visibleTools<Engines>(tools: readonly AnyTool<Engines>[], policy: Policy): readonly AnyTool<Engines>[] {
  const denied = new Set(ACTIONS.filter(action => deniesAll(policy, action)))
  if (denied.size === 0) return tools
  return tools.filter(tool => usesOf(tool).some(actions => !actions.some(action => denied.has(action))))
}

const ACTIONS: readonly Action[] = ['read', 'create', 'write', 'exec', 'net']

/** Stands for a workspace in which something was done, so that an undo has something to claim. */
const FACTS: Facts = { undoPaths: () => ['file'] }

/** What each example of a tool does; all that it may do if there is none. */
function usesOf<Engines>(tool: AnyTool<Engines>): readonly (readonly Action[])[] {
  if (tool.examples.length === 0) return [tool.effects]
  return tool.examples.map(({ input }) => {
    const parsed = tool.input.safeParse(input)
    if (!parsed.success) return tool.effects
    try {
      return tool.claims(parsed.data, FACTS).map(({ action }) => action)
    } catch {
      return tool.effects
    }
  })
}
