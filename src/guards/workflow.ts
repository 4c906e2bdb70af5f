import { ToolError } from '../kernel/error.ts'
import { isTool } from '../kernel/is-tool.ts'

/** A call before it is decided, as far as the order of work is concerned. */
interface Step {
  readonly tool: string
  readonly dryRun?: boolean | undefined
  readonly plan?: string | undefined
  /** After how many calls of its tool in one task a call has to say why it is needed. */
  readonly justifiedAfter?: number | undefined
  readonly justification?: string | undefined
  /** How many calls of its tool the task has made before. */
  readonly earlier: () => number
}

/** A call of the same session that is over. */
export interface PastStep {
  readonly tool: string
  readonly ok: boolean
}

/** One demand on the order of work: why this step may not be taken yet, or undefined. */
export type Demand = (step: Step, history: readonly PastStep[]) => ToolError | undefined

/** Throws the first refusal among the demands. */
export function workflow(demands: readonly Demand[], history: readonly PastStep[], step: Step): void {
  for (const demand of demands) {
    const refusal = demand(step, history)
    if (refusal) throw refusal
  }
}

/** These tools run only with the plan that a dry run gave. */
export const planFirst =
  (tools: readonly string[]): Demand =>
  ({ tool, dryRun, plan }) => {
    if (dryRun || plan || !tools.some(named => isTool(named, tool))) return undefined
    return new ToolError('denied', `'${tool}' may only run with a plan`, {
      hint: 'Call it as a dry run first, then again with the plan that the dry run gives',
    })
  }

/** Tools whose document asks why they are needed run only for whoever says so. */
export const justified: Demand = ({ tool, justifiedAfter, justification, earlier }) => {
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

/** A letter or a dash in its place says nothing. */
const says = (justification = ''): boolean => (justification.match(/[\p{L}\p{N}]/gu) ?? []).length >= FEWEST_LETTERS

const FEWEST_LETTERS = 10

/** Rules about the order of work look back so far. */
const LOOK_BACK = 1000

/** Adds a call that is over. */
export function remember(history: PastStep[], step: PastStep): void {
  history.push(step)
  if (history.length > LOOK_BACK) history.shift()
}
