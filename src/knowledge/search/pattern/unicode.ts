import { codePoints, rangesOf, union, type CodePoints } from './code-points.ts'
import { ASSIGNED, DIGIT, FOLDS, WORD } from './unicode-data.ts'

/** ripgrep's `\w`, `\d` and `\s`. */
export const word = once(() => unpackSet(WORD))
export const digit = once(() => unpackSet(DIGIT))
export const space = once(() =>
  codePoints([
    [0x09, 0x0d],
    [0x20, 0x20],
    [0x85, 0x85],
    [0xa0, 0xa0],
    [0x1680, 0x1680],
    [0x2000, 0x200a],
    [0x2028, 0x2029],
    [0x202f, 0x202f],
    [0x205f, 0x205f],
    [0x3000, 0x3000],
  ]),
)

/** Returns the set and all code points that differ from it only in case. */
export function foldCase(set: CodePoints): CodePoints {
  const more: [number, number][] = []
  for (const [first, last] of rangesOf(set)) {
    // Few code points have a case, so iterate over those if the range is long.
    if (last - first > folds().size) {
      for (const [code, same] of folds())
        if (first <= code && code <= last) for (const one of same) more.push([one, one])
    } else for (let code = first; code <= last; code++) for (const one of folds().get(code) ?? []) more.push([one, one])
  }
  return more.length === 0 ? set : union(set, codePoints(more))
}

const CATEGORY = /^(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)$/
const SCRIPT =
  /^(?:Arabic|Armenian|Bengali|Cyrillic|Devanagari|Georgian|Greek|Han|Hangul|Hebrew|Hiragana|Katakana|Latin|Tamil|Thai)$/

/** Returns the set for `\p{…}`, or undefined if ripgrep may read the name differently. */
export function property(name: string): CodePoints | undefined {
  if (CATEGORY.test(name)) return setOfEscape(`\\p{${name}}`)
  return SCRIPT.test(name) ? setOfEscape(`\\p{Script=${name}}`) : undefined
}

const setsByEscape = new Map<string, CodePoints>()

/** JavaScript's set, without additions from a Unicode version newer than ripgrep's. */
function setOfEscape(escape: string): CodePoints {
  const before = setsByEscape.get(escape)
  if (before !== undefined) return before
  const one = new RegExp(`^${escape}$`, 'u')
  const set: number[] = []
  for (const [first, last] of rangesOf(assignedCodes()))
    for (let code = first; code <= last; code++) {
      if (!one.test(String.fromCodePoint(code))) continue
      if (set.at(-1) === code - 1) set[set.length - 1] = code
      else set.push(code, code)
    }
  setsByEscape.set(escape, set)
  return set
}

const assignedCodes = once(() => unpackSet(ASSIGNED))

const folds = once(() => {
  const circles = new Map<number, number[]>()
  const numbers = numbersOf(FOLDS)
  let code = 0
  for (let at = 0; at < numbers.length; at += 4) {
    const [step = 0, count = 0, stride = 0, far = 0] = numbers.slice(at, at + 4)
    code += step
    for (let from = code; from < code + count * stride; from += stride) {
      const circle = circles.get(from) ?? [from]
      circle.push(from + far)
      circles.set(from, circle).set(from + far, circle)
    }
  }
  return circles
})

function unpackSet(data: string): CodePoints {
  let at = 0
  return numbersOf(data).map(step => (at += step))
}

const numbersOf = (data: string): number[] => data.split(' ').map(text => Number.parseInt(text, 36))

function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => (result ??= { value: make() }).value
}
