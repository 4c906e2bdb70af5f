import { isDeepStrictEqual } from 'node:util'

/** Throws unless an answer is the one that its oracle gives: a fast wrong answer fails. */
export function demandSame(what: string, answer: unknown, expected: unknown): void {
  if (isDeepStrictEqual(answer, expected)) return
  throw new Error(`${what}: answered ${shown(answer)}, expected ${shown(expected)}`)
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300)
