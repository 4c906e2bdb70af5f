import { staysInside } from './stays-inside.ts'
import { literalOf, type Redirection } from './script.ts'

const SINKS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr'])
const SOURCES = new Set(['/dev/null', '/dev/stdin'])

/** Returns what a redirection does that a rule for the command does not cover; undefined if nothing. */
export function redirectionConcern({ operator, target }: Redirection): string | undefined {
  if (operator.startsWith('<<')) return undefined
  const path = literalOf(target)
  const isCopy = operator === '>&' || operator === '<&'
  if (isCopy && path !== undefined && /^(\d{1,3}-?|-)$/.test(path)) return undefined
  if (operator === '<') {
    if (path !== undefined && (staysInside(path) || SOURCES.has(path))) return undefined
    if (target.source.startsWith('<(')) return undefined
    return `it reads ${target.source}`
  }
  return path !== undefined && SINKS.has(path) && operator !== '<>' ? undefined : `it writes to ${target.source}`
}
