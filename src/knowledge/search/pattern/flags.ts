import { unsure } from './syntax.ts'

/** Flags that `(?…)` switches. */
export interface Flags {
  /** `i` */
  readonly fold: boolean
  /** `m` */
  readonly lines: boolean
  /** `s` */
  readonly dotAll: boolean
  /** `U` */
  readonly swap: boolean
  /** `u` */
  readonly unicode: boolean
  /** `x` */
  readonly spaced: boolean
}

const LETTERS: Readonly<Record<string, keyof Flags>> = {
  i: 'fold',
  m: 'lines',
  s: 'dotAll',
  U: 'swap',
  u: 'unicode',
  x: 'spaced',
}

/** Applies the letters of a group such as `i-s`: each letter once, and at least one after the dash. */
export function withFlags(flags: Flags, letters: string): Flags {
  const lettersBefore = new Set<string>()
  const next: Record<keyof Flags, boolean> = { ...flags }
  let value = true
  for (const letter of letters) {
    if (lettersBefore.has(letter)) unsure()
    lettersBefore.add(letter)
    const flag = LETTERS[letter]
    if (letter === '-') value = false
    else if (flag === undefined) unsure()
    else next[flag] = value
  }
  if (letters === '' || letters.endsWith('-')) unsure()
  return next
}
