import { partialBytes } from './redact-pattern.ts'

/** A shorter piece of a value may be any word. */
const SHORTEST = 6

/** What stands in place of the rest of a text that was cut. */
const CUT_END = /(?:\s?(?:…|\.{3}|\[\.{3})[^\n]{0,80})?$/
const CUT_START = /^(?:…|\.{3})?\s?/

/**
 * Returns a function that redacts what a cut may have left of these values at the beginning or end of a text. The texts
 * that we cut are redacted before; this is for those that come cut from programs and servers, and for messages.
 */
export function redactEdges(secrets: ReadonlyMap<string, string>): (text: string) => string {
  const values = [...secrets]
    .map(([key, value]) => ({ marker: `[redacted:${key.replace(/[^\w.-]/g, '_')}]`, value: value.trim() }))
    .filter(({ value }) => partialBytes(value) !== Infinity)
  if (values.length === 0) return text => text
  return text => {
    if (text.length < SHORTEST) return text
    let result = text
    for (const { marker, value } of values) result = withoutEnd(withoutStart(result, value, marker), value, marker)
    return result
  }
}

function withoutEnd(text: string, value: string, marker: string): string {
  const end = CUT_END.exec(text)?.index ?? text.length
  const first = value.slice(0, SHORTEST)
  for (
    let at = text.indexOf(first, Math.max(0, end - value.length));
    at >= 0 && at < end;
    at = text.indexOf(first, at + 1)
  )
    if (value.startsWith(text.slice(at, end)) && givesAway(text.slice(at, end)))
      return text.slice(0, at) + marker + text.slice(end)
  return text
}

function withoutStart(text: string, value: string, marker: string): string {
  const start = CUT_START.exec(text)?.[0].length ?? 0
  const last = value.slice(-SHORTEST)
  for (
    let at = text.lastIndexOf(last, start + value.length);
    at >= start;
    at = at === 0 ? -1 : text.lastIndexOf(last, at - 1)
  ) {
    const piece = text.slice(start, at + SHORTEST)
    if (value.endsWith(piece) && givesAway(piece))
      return text.slice(0, start) + marker + text.slice(start + piece.length)
  }
  return text
}

/** Reports whether a piece looks random, not like a word or the beginning that all keys of a service share. */
const givesAway = (piece: string): boolean =>
  piece.length >= SHORTEST && [/[a-z]/, /[A-Z]/, /\d/].filter(kind => kind.test(piece)).length > 1
