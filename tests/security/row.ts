/** What every row of the attack corpus has; each file adds its own fields. */
export interface Row {
  readonly id: string
  readonly class: string
  readonly expect: string
  readonly why?: string
  /** Accepted outcomes; overrides `expect`. */
  readonly ok?: readonly string[]
  readonly invariant?: string
  readonly code_hint?: string
}

export interface Result {
  readonly ok: boolean
  readonly got: string
}

/** A row of a shape that nothing here can run; it is told apart from one that failed. */
export class CannotRun extends Error {}

/** Runs the rows of one file, one after another; `close` removes what they shared. */
export interface RunRow {
  (row: Row): Promise<Result>
  close?(): void | Promise<void>
}

/** The outcome words of a row that is about what must work; every other row is about what must not happen. */
const LEGITIMATE = new Set(['allow', 'apply', 'match', 'unchanged', 'inject'])

export const isLegitimate = ({ expect }: Row): boolean => LEGITIMATE.has(expect)

/** Collects what is wrong, so that a failed row tells everything at once. */
export interface Findings {
  /** Notes the text where the condition does not hold. */
  demand(holds: boolean, text: string): void
  result(got: string): Result
}

export function findings(): Findings {
  const problems: string[] = []
  return {
    demand(holds, text) {
      if (!holds) problems.push(text)
    },
    result: got => (problems.length === 0 ? { ok: true, got } : { ok: false, got: `${got}; ${problems.join('; ')}` }),
  }
}
