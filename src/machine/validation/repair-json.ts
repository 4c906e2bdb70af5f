import { isDeeperThan, MOST_LEVELS, tooDeep } from '../../kernel/nesting.ts'
import { readLenient } from './lenient-json.ts'

/** The JSON found in a text. */
interface RepairedJson {
  readonly value: unknown
  /** Exactly as in the text. */
  readonly json: string
  /** Other text surrounded it. */
  readonly cut: boolean
  /** It was not valid JSON, but has only one possible meaning. */
  readonly repaired: boolean
}

/** Bounds the work for a text that repeatedly looks like the beginning of JSON. */
const MOST_STEPS = 20_000_000

/**
 * Extracts the JSON from a text, such as a model's answer wrapped in words or a code fence: the whole text if it is
 * JSON, otherwise the longest object or array, read leniently. Returns undefined if there is none or one is broken: its
 * inner parts are not the answer, and nothing is ever made up.
 */
export function repairJson(text: string): RepairedJson | undefined {
  const whole = text.replace(/^\uFEFF/, '').trim()
  const value = parseShallow(whole)
  if (value) return { value: value.parsed, json: whole, cut: false, repaired: false }
  let best: RepairedJson | undefined
  let steps = 0
  for (let at = nextStart(whole, 0); at >= 0 && steps < MOST_STEPS; at = nextStart(whole, at)) {
    const charactersLeft = whole.length - at
    if (charactersLeft <= (best?.json.length ?? 0)) break
    const read = readAt(whole, at)
    steps += read.steps
    if (read.is === 'broken') return charactersLeft > (best?.json.length ?? 0) ? undefined : best
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
  const exact = isClosed(text, at, end) ? parseShallow(text.slice(at, end)) : undefined
  if (exact) return { is: 'json', value: exact.parsed, end, repaired: false, steps }
  const read = readLenient(text, at)
  if (!('failed' in read)) return { is: 'json', value: read.value, end: read.end, repaired: true, steps: read.end - at }
  return { is: isBroken(text, at, read.isData) ? 'broken' : 'words', steps: steps + read.end - at }
}

/** Brackets also surround words: `{this}`, `[see below]`, `[a, b]`. */
function isBroken(text: string, at: number, isData: boolean): boolean {
  if (/^[[{][^[\]{}"]*[\]}]/.test(text.slice(at, at + 1000))) return false
  return isData || at === 0 || /```\w*\s*$/.test(text.slice(Math.max(0, at - 100), at))
}

function parseShallow(json: string): { readonly parsed: unknown } | undefined {
  const value = attempt(json)
  if (isDeeperThan(value?.parsed, MOST_LEVELS)) throw tooDeep('The JSON in the text')
  return value
}

function attempt(json: string): { readonly parsed: unknown } | undefined {
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

/** Returns the position after the bracket that closes the one at `start`, skipping strings, or the end of the text. */
function balancedEnd(text: string, start: number): number {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (inString) {
      if (char === '\\') at++
      else if (char === '"') inString = false
    } else if (char === '"') inString = true
    else if (char === '{' || char === '[') depth++
    else if ((char === '}' || char === ']') && --depth === 0) return at + 1
  }
  return text.length
}
