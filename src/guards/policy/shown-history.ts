import { matchGlob } from '../glob.ts'
import { shownPaths } from '../shell/shown-paths.ts'
import type { CompiledRule } from './rule.ts'
import type { Verdict } from './verdict.ts'

/** What a command line would show of a file that may not be read. */
export interface ShownHistory {
  readonly verdict: Exclude<Verdict, 'allow'>
  readonly rule: CompiledRule
  readonly what: string
}

/** Whether the line has git show what rules keep from being read: denied where it names it, asked where it brings back files unnamed. */
export function shownHistory(line: string, unreadable: readonly CompiledRule[]): ShownHistory | undefined {
  const [first] = unreadable
  if (!first) return undefined
  const { paths, patterns, unseen } = shownPaths(line)
  for (const path of paths) {
    const rule = unreadable.find(({ matcher }) => matcher.touches(path) === 'whole' || matcher.covers(path))
    if (rule) return { verdict: 'deny', rule, what: `it shows ${path}` }
  }
  for (const pattern of patterns) {
    const rule = unreadable.find(({ path = '' }) => finds(pattern, path))
    if (rule) return { verdict: 'deny', rule, what: `it shows what ${pattern} finds` }
  }
  return unseen === undefined
    ? undefined
    : { verdict: 'ask', rule: first, what: `'${unseen}' brings back files that it does not name` }
}

/** Whether a pattern of git finds the plainest name that a rule is about. */
function finds(pattern: string, rule: string): boolean {
  const wanted = lastName(rule.replaceAll(/\{([^,}]*)[^}]*\}/g, '$1').replaceAll(/\[!?(.)[^\]]*\]/g, '$1')).replaceAll(
    '*',
    '',
  )
  const name = lastName(pattern)
  if (wanted === '' || !/[^*?]/.test(name)) return false
  try {
    return matchGlob(name.toLowerCase(), wanted.replaceAll('?', 'x').toLowerCase())
  } catch {
    return true
  }
}

const lastName = (path: string): string => path.split('/').at(-1) ?? ''
