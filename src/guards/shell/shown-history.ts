import type { Claim } from '../../kernel/claim.ts'
import type { GitHistory } from '../../kernel/git-history.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import { matchGlob } from '../glob.ts'
import type { Verdict } from '../verdict.ts'
import { mayTouch } from './pathspec.ts'
import { shownPaths, type Shown } from './shown-paths.ts'

/** A rule that denies reading files. */
export interface ReadRule {
  readonly path?: string | undefined
  readonly matcher: { touches(path: string): string; covers(directory: string): boolean }
}

/** What a command line would show of an unreadable file. */
interface ShownHistory<Rule> {
  readonly verdict: Exclude<Verdict, 'allow'>
  readonly rule: Rule
  readonly what: string
}

/**
 * Judges whether the line makes git show unreadable files. Denies if it names one. Asks if it reveals content without
 * naming it and the history holds such a file. If the history is unknown, asks about commands that restore whole trees.
 */
export function shownHistory<Rule extends ReadRule>(
  { resource, cwd, earlier }: Pick<Claim, 'resource' | 'cwd'> & { readonly earlier?: readonly string[] },
  unreadable: readonly Rule[],
  history?: GitHistory,
): ShownHistory<Rule> | undefined {
  const [first] = unreadable
  if (!first) return undefined
  const line = cwd === undefined || cwd === '' ? resource : `cd ${quoteArgv([cwd])} && ${resource}`
  const { paths, patterns, unseen, contents, stays } = shownPaths(line, earlier)
  for (const path of paths) {
    const rule = unreadable.find(({ matcher }) => matcher.touches(path) === 'whole' || matcher.covers(path))
    if (rule) return { verdict: 'deny', rule, what: `it shows ${path}` }
  }
  for (const pattern of patterns) {
    const rule = unreadable.find(({ path = '' }) => finds(pattern, path))
    if (rule) return { verdict: 'deny', rule, what: `it shows what ${pattern} finds` }
  }
  if (history) return contentOf({ contents, atRoot: stays }, unreadable, history)
  return unseen === undefined
    ? undefined
    : { verdict: 'ask', rule: first, what: `'${unseen}' restores files that it does not name` }
}

function contentOf<Rule extends ReadRule>(
  { contents, atRoot }: { readonly contents: Shown['contents']; readonly atRoot: boolean },
  unreadable: readonly Rule[],
  history: GitHistory,
): ShownHistory<Rule> | undefined {
  const [first] = unreadable
  const [source] = contents
  if (first === undefined || source === undefined) return undefined
  const deniedPaths = deniedInHistory(unreadable, history)
  if (deniedPaths === undefined)
    return {
      verdict: 'ask',
      rule: first,
      what: `'${source.source}' may show files of the history, which is too large to look through or cannot be read`,
    }
  for (const { how, pathspecs, where, source: command } of contents) {
    if (deniedPaths.length === 0 || (where !== undefined && !history.has(where))) continue
    const path = deniedPaths.find(
      one => mayTouch(pathspecs, one, atRoot) && !(how === 'restores' && history.isHidden(one)),
    )
    if (path !== undefined)
      return {
        verdict: 'ask',
        rule: ruleFor(unreadable, path) ?? first,
        what: `'${command}' may show ${path}, which is in the history; name commits (HEAD~2) and other paths behind -- to leave it out`,
      }
  }
  return undefined
}

/** Returns the paths of the history that the rules hide from reading; undefined if unknown. */
export const deniedInHistory = (unreadable: readonly ReadRule[], history: GitHistory): readonly string[] | undefined =>
  history.denied(
    JSON.stringify(unreadable.map(({ path }) => path ?? null)),
    path => ruleFor(unreadable, path) !== undefined,
  )

const ruleFor = <Rule extends ReadRule>(unreadable: readonly Rule[], path: string): Rule | undefined =>
  unreadable.find(({ matcher }) => matcher.touches(path) !== 'none')

/** Reports whether a git pattern matches the plainest name that a rule covers. */
function finds(pattern: string, rule: string): boolean {
  const samplePattern = lastName(
    rule.replaceAll(/\{([^,}]*)[^}]*\}/g, '$1').replaceAll(/\[!?(.)[^\]]*\]/g, '$1'),
  ).replaceAll('*', '')
  const name = lastName(pattern)
  if (samplePattern === '' || !/[^*?]/.test(name)) return false
  try {
    return matchGlob(name.toLowerCase(), samplePattern.replaceAll('?', 'x').toLowerCase())
  } catch {
    return true
  }
}

const lastName = (path: string): string => path.split('/').at(-1) ?? ''
