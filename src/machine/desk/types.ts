import type { CheckResult } from './check-result.ts'
import type { Plan, PlanStep } from './plan-of.ts'

/** A session's plan, and checks of outputs by the names of their types. */
export interface DeskEngine {
  check(outputType: string, data: unknown): Promise<CheckResult>
  /** Returns the plan of this session. Given steps replace it. */
  plan(steps?: readonly PlanStep[]): Promise<Plan>
}
