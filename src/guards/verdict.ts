export type Verdict = 'allow' | 'ask' | 'deny'

const SEVERITY: Readonly<Record<Verdict, number>> = { allow: 0, ask: 1, deny: 2 }

/** Reports whether the first verdict is stricter than the second. */
export const isStricter = (one: Verdict, other: Verdict): boolean => SEVERITY[one] > SEVERITY[other]

export const stricterOf = (one: Verdict, other: Verdict): Verdict => (isStricter(other, one) ? other : one)
