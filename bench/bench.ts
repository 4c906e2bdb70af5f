/** One line of a table: what was measured, its numbers as printed, and the peer it stands beside. */
export interface Row {
  readonly what: string
  readonly cells: Readonly<Record<string, string | number>>
}

/** A promise of the project, measured in this run. */
export interface Goal {
  readonly what: string
  readonly limit: string
  readonly measured: string
  readonly met: boolean
}

export interface Report {
  readonly rows: readonly Row[]
  readonly goals: readonly Goal[]
  /** What one should know to read the numbers. */
  readonly notes?: readonly string[]
}

/** One measurement, run by its name; each file beside this one that is named in run.ts has one. */
export interface Bench {
  readonly about: string
  run(): Promise<Report>
}

/** A ratio as people read it. */
export const times = (ratio: number): string => `${ratio.toFixed(ratio < 10 ? 2 : 0)}x`

/** A goal that a number stays within. */
export function atMost(what: string, value: number, limit: number, unit: string): Goal {
  const measured = `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`
  return { what, limit: `≤ ${limit.toLocaleString('en')} ${unit}`, measured, met: value <= limit }
}
