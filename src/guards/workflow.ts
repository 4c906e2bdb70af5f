import { ToolError } from '../kernel/error.ts'
import { isTool } from '../kernel/is-tool.ts'

/** An undecided call, as far as the order of work is concerned. */
interface Step {
  readonly tool: string
  readonly dryRun?: boolean | undefined
  readonly plan?: string | undefined
  /** The number of calls of its tool in one task after which a call must be justified. */
  readonly justifiedAfter?: number | undefined
  readonly justification?: string | undefined
  /** Returns how many calls of its tool the task has made before. */
  readonly earlier: () => number
}

/** A finished call of the same session. */
export interface PastStep {
  readonly tool: string
  readonly ok: boolean
}

/** One demand on the order of work: returns why this step must wait, or undefined. */
export type Demand = (step: Step, history: readonly PastStep[]) => ToolError | undefined

/** Throws the first refusal among the demands. */
export function workflow(demands: readonly Demand[], history: readonly PastStep[], step: Step): void {
  for (const demand of demands) {
    const refusal = demand(step, history)
    if (refusal) throw refusal
  }
}

/** These tools run only with the plan of a dry run. */
export const planFirst =
  (tools: readonly string[]): Demand =>
  ({ tool, dryRun, plan }) => {
    if (dryRun || plan || !tools.some(named => isTool(named, tool))) return undefined
    return new ToolError('denied', `'${tool}' may only run with a plan`, {
      hint: 'Call it as a dry run first, then again with the plan that the dry run gives',
    })
  }

/** Tools whose document demands a justification run only with one. */
export const demandJustification: Demand = ({ tool, justifiedAfter, justification, earlier }) => {
  if (justifiedAfter === undefined || says(justification) || earlier() < justifiedAfter) return undefined
  return new ToolError(
    'denied',
    `'${tool}' needs a justification${justifiedAfter > 0 ? ` after ${justifiedAfter} calls` : ''}`,
    {
      hint: 'Say in `justification` what information is needed, why the index is not enough, and how you plan to explore',
      details: { needs: 'justification' },
    },
  )
}

/** A letter or a dash is no justification. */
const says = (justification = ''): boolean => (justification.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_LETTERS

const FEWEST_LETTERS = 10

/** The most calls that rules about the order of work look back on. */
const LOOK_BACK = 1000

/** Adds a finished call. */
export function remember(history: PastStep[], step: PastStep): void {
  history.push(step)
  if (history.length > LOOK_BACK) history.shift()
}
