import { planOf, type Plan, type PlanStep } from './plan-of.ts'

const kept = new WeakMap<object, Plan>()

/** The plan of a session, for as long as the session lives; steps that are given become it, unless they are only tried out. */
export function keptPlan(session: object, steps: readonly PlanStep[] | undefined, isTrial: boolean): Plan {
  if (!steps) return kept.get(session) ?? planOf([])
  const plan = planOf(steps)
  if (!isTrial) kept.set(session, plan)
  return plan
}
