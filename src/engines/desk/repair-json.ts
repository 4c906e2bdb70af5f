/** The valid JSON that a text holds. */
export interface RepairedJson {
  readonly value: unknown
  /** Exactly as it stands in the text. */
  readonly json: string
  /** There was other text around it. */
  readonly cut: boolean
}

/** A text that only looks like the beginning of JSON, over and over, must not take for ever. */
const MOST_STEPS = 20_000_000

/**
 * Cuts a text, such as an answer that a model wrapped in words or a code fence, down to the JSON in it: the whole text where
 * it is JSON, else the longest object or array. Undefined where there is none; nothing is ever made up.
 */
export function repairJson(text: string): RepairedJson | undefined {
  const whole = text.replace(/^\uFEFF/, '').trim()
  const value = parsed(whole)
  if (value) return { value: value.parsed, json: whole, cut: false }
  let best: RepairedJson | undefined
  let steps = 0
  let at = nextStart(text, 0)
  while (at >= 0 && steps < MOST_STEPS && text.length - at > (best?.json.length ?? 0)) {
    const end = balancedEnd(text, at)
    steps += end - at
    const json = isClosed(text, at, end) ? text.slice(at, end) : undefined
    const found = json === undefined ? undefined : parsed(json)
    if (json !== undefined && found && json.length > (best?.json.length ?? 0))
      best = { value: found.parsed, json, cut: true }
    at = nextStart(text, found ? end : at + 1)
  }
  return best
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
