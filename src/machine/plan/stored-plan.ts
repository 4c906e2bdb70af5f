import { existsSync } from 'node:fs'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { readOwnFile, writePrivateFile } from '../state/private-file.ts'
import { planOf, type Plan, type PlanStep } from './plan-of.ts'

const plansBySession = new WeakMap<object, Plan>()

interface PlanStorage {
  /** Does not store the plan. */
  readonly isTrial: boolean
  /** File of a plan that outlives the session; commands typed in a workspace share one session. */
  readonly file?: string
}

/** The plan of a session. */
export interface PlanEngine {
  /** Returns the plan. Given steps replace it. */
  keep(steps?: readonly PlanStep[]): Promise<Plan>
}

/** Returns the plan of a session. Given steps replace it. */
export function storedPlan(
  session: object,
  steps: readonly PlanStep[] | undefined,
  { isTrial, file }: PlanStorage,
): Plan {
  if (!steps) return plansBySession.get(session) ?? planOf(file === undefined ? [] : storedSteps(file))
  const plan = planOf(steps)
  if (isTrial) return plan
  plansBySession.set(session, plan)
  if (file !== undefined) writePrivateFile(file, JSON.stringify(steps))
  return plan
}

function storedSteps(file: string): PlanStep[] {
  if (!existsSync(file)) return []
  try {
    return z.array(STEP).parse(JSON.parse(readOwnFile(file).toString()))
  } catch (cause) {
    if (cause instanceof ToolError) throw cause
    throw new ToolError('io', `The stored plan ${file} is damaged`, { hint: 'Give a new plan: it replaces this one' })
  }
}

const STEP = z.strictObject({
  content: z.string(),
  activeForm: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
})
