import type { CheckResult } from './check-result.ts'
import type { Plan, PlanStep } from './plan-of.ts'

/** What lies on the desk of whoever works: the plan, and what is known of outputs by the names of their types. */
export interface DeskEngine {
  check(outputType: string, data: unknown): Promise<CheckResult>
  /** The plan of this session; steps that are given become it. */
  plan(steps?: readonly PlanStep[]): Promise<Plan>
}
