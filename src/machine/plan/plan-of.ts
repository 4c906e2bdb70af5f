import { ToolError } from '../../kernel/error.ts'

/** Maximum number of steps. */
export const PLAN_ITEMS = 15

export type PlanStatus = 'pending' | 'in_progress' | 'completed'

/** One step as the planner writes it. */
export interface PlanStep {
  readonly content: string
  /** The same in the present tense, for display: `Gathering context`. */
  readonly activeForm: string
  readonly status: PlanStatus
}

interface PlanItem extends PlanStep {
  /** `step-1` and so on, by position. */
  readonly id: string
}

export interface Plan {
  readonly items: readonly PlanItem[]
  readonly maxItems: number
  /** The item in progress; null if all are done. */
  readonly currentItem: PlanItem | null
}

/**
 * Returns the plan for a complete list of steps. If none is in progress, the first pending one becomes so. Refuses more
 * than one in progress, too many steps, or an empty text.
 */
export function planOf(steps: readonly PlanStep[]): Plan {
  if (steps.length > PLAN_ITEMS)
    throw new ToolError('invalid_input', `A plan has at most ${PLAN_ITEMS} items, not ${steps.length}`, {
      hint: 'Join small steps into larger ones',
    })
  for (const [at, step] of steps.entries()) ensureText(step, at)
  const active = steps.flatMap(({ status }, at) => (status === 'in_progress' ? [at] : []))
  if (active.length > 1)
    throw new ToolError(
      'invalid_input',
      `Only one item can be in_progress, not ${active.length}: ${active.map(idOf).join(', ')}`,
      { hint: 'Give every other one the status pending or completed' },
    )
  const current = active[0] ?? steps.findIndex(({ status }) => status === 'pending')
  const items = steps.map(({ content, activeForm, status }, at): PlanItem => {
    return { id: idOf(at), content, activeForm, status: at === current ? 'in_progress' : status }
  })
  return { items, maxItems: PLAN_ITEMS, currentItem: items[current] ?? null }
}

/** Returns a warning for each step whose present form says nothing else than the step itself. */
export const planWarnings = (steps: readonly PlanStep[]): readonly string[] =>
  steps.flatMap(({ content, activeForm }, at) =>
    plain(content) === plain(activeForm)
      ? [
          `The activeForm of ${idOf(at)} is no different from its content: write its present form, as in 'Gathering context'`,
        ]
      : [],
  )

const plain = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const idOf = (at: number): string => `step-${at + 1}`

function ensureText({ content, activeForm }: PlanStep, at: number): void {
  const missing = content.trim() === '' ? 'content' : activeForm.trim() === '' ? 'activeForm' : undefined
  if (missing)
    throw new ToolError('invalid_input', `The ${missing} of ${idOf(at)} is empty`, {
      hint: "Write the step in content, and its present form in activeForm, such as 'Gathering context'",
    })
}
