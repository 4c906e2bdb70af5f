import { readLenient } from './lenient-json.ts'

/** The JSON that a text holds. */
interface RepairedJson {
  readonly value: unknown
  /** Exactly as it stands in the text. */
  readonly json: string
  /** There was other text around it. */
  readonly cut: boolean
  /** It was not JSON as it stands there, but could only be meant in one way. */
  readonly repaired: boolean
}

/** A text that only looks like the beginning of JSON, over and over, must not take for ever. */
const MOST_STEPS = 20_000_000

/**
 * Cuts a text, such as an answer that a model wrapped in words or a code fence, down to the JSON in it: the whole text where
 * it is JSON, else the longest object or array, read leniently. Undefined if there is none, or where one is broken:
 * what stands inside of it is not the answer, and nothing is ever made up.
 */
export function repairJson(text: string): RepairedJson | undefined {
  const whole = text.replace(/^\uFEFF/, '').trim()
  const value = parsed(whole)
  if (value) return { value: value.parsed, json: whole, cut: false, repaired: false }
  let best: RepairedJson | undefined
  let steps = 0
  for (let at = nextStart(whole, 0); at >= 0 && steps < MOST_STEPS; at = nextStart(whole, at)) {
    const left = whole.length - at
    if (left <= (best?.json.length ?? 0)) break
    const read = readAt(whole, at)
    steps += read.steps
    if (read.is === 'broken') return left > (best?.json.length ?? 0) ? undefined : best
    if (read.is === 'json' && read.end - at > (best?.json.length ?? 0)) {
      const json = whole.slice(at, read.end).trimEnd()
      best = { value: read.value, json, cut: json.length < whole.length, repaired: read.repaired }
    }
    at = read.is === 'json' ? read.end : at + 1
  }
  return best
}

type ReadAt =
  | { readonly is: 'json'; readonly value: unknown; readonly end: number; readonly repaired: boolean; steps: number }
  | { readonly is: 'words' | 'broken'; steps: number }

function readAt(text: string, at: number): ReadAt {
  const end = balancedEnd(text, at)
  const steps = end - at
  const exact = isClosed(text, at, end) ? parsed(text.slice(at, end)) : undefined
  if (exact) return { is: 'json', value: exact.parsed, end, repaired: false, steps }
  const read = readLenient(text, at)
  if (!('failed' in read)) return { is: 'json', value: read.value, end: read.end, repaired: true, steps: read.end - at }
  return { is: isBroken(text, at, read.isData) ? 'broken' : 'words', steps: steps + read.end - at }
}

/** Brackets are also written around words: `{this}`, `[see below]`, `[a, b]`. */
function isBroken(text: string, at: number, isData: boolean): boolean {
  if (/^[[{][^[\]{}"]*[\]}]/.test(text.slice(at, at + 1000))) return false
  return isData || at === 0 || /```\w*\s*$/.test(text.slice(Math.max(0, at - 100), at))
}

function parsed(json: string): { readonly parsed: unknown } | undefined {
  try {
    return { parsed: JSON.parse(json) }
  } catch {
    return undefined
  }
}

function nextStart(text: string, from: number): number {
  const [object, array] = [text.indexOf('{', from), text.indexOf('[', from)]
  return object < 0 ? array : array < 0 ? object : Math.min(object, array)
}

const isClosed = (text: string, start: number, end: number): boolean =>
  text[end - 1] === (text[start] === '{' ? '}' : ']')

/** Just behind the bracket that closes the one at `start`, strings passed over; the end of the text where none does. */
function balancedEnd(text: string, start: number): number {
  let depth = 0
  let quoted = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (quoted) {
      if (char === '\\') at++
      else if (char === '"') quoted = false
    } else if (char === '"') quoted = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return text.length
}
