import type { GitHistory } from '../../kernel/git-history.ts'
import type { StartRules, StartVerdict } from '../../kernel/start-rules.ts'
import { commandParser } from './command-parser.ts'
import type { Policy } from './policy.ts'
import { isStricter } from './verdict.ts'

/** A rule that asks or denies a command whose program it names, and so can be put before every start of that program. */
type NamedRule = Parameters<ReturnType<typeof commandParser>['judgeStart']>[1][number]

/** The command lines of a call, and what a person has said yes to before anything starts. */
export interface StartingLines {
  readonly lines: readonly string[]
  /** The lines were approved; `rule` is the one that the question was about. */
  readonly approved?: { readonly rule: string | undefined } | undefined
}

/**
 * What a policy says about programs at the moment that they start; undefined if no rule names one, and the history
 * of git holds nothing that may not be read. Asks that the approval of the line covers are answered already.
 */
export function startRulesOf(policy: Policy, { lines, approved }: StartingLines): StartRules | undefined {
  const named = namedRules(policy)
  const kept = keptFromReading(policy, lines)
  if (named.length === 0 && kept.length === 0) return undefined
  const { halfDone, judgeStart, metBy, namedProgram, programsOf } = commandParser()
  const shown = approved ? lines.flatMap(line => kept.flatMap(({ ruleOf }) => ruleOf(line) ?? [])) : []
  const answered = new Set(approved ? [approved.rule, ...shown, ...lines.flatMap(line => metBy(line, named))] : [])
  const rules = named.filter(rule => rule.verdict === 'deny' || !answered.has(rule.id))
  const programs = new Set(programsOf(rules))
  if (kept.length > 0) programs.add('git')
  return {
    programs: [...programs],
    programOf: file => namedProgram(file, programs),
    halfDone,
    judge(start) {
      const historic = start.names.includes('git') ? kept.flatMap(({ judge }) => judge(start) ?? []) : []
      // It may be the command of a rule that denies, which whoever approved the line has been told.
      const isOpen = ({ verdict, rule }: StartVerdict): boolean =>
        verdict === 'deny' || (verdict === 'ask' && !(rule !== undefined && answered.has(rule)))
      const judged = judgeStart(start, rules)
      const open = [judged, ...historic].filter(isOpen)
      return open.reduce(
        (worst, one) => (isStricter(one.verdict, worst.verdict) ? one : worst),
        open[0] ?? { ...judged, verdict: 'allow' },
      )
    },
  }
}

const namedRules = (policy: Policy): readonly NamedRule[] => [
  ...policy.rules.byAction.exec.flatMap(({ matcher: { prefix = [] }, ...rule }) =>
    rule.verdict === 'allow' || rule.depth === 'line' || prefix.length === 0 ? [] : [{ ...rule, prefix }],
  ),
  ...(policy.within ? namedRules(policy.within) : []),
]

/** How git is judged where its history holds what may not be read. */
interface KeptFromReading {
  readonly judge: (start: Parameters<StartRules['judge']>[0]) => StartVerdict | undefined
  /** The rule that a line shows itself to be about. */
  readonly ruleOf: (line: string) => string | undefined
}

/** Nothing is looked up for lines of reading commands, which start nothing that they do not show. */
function keptFromReading(policy: Policy, lines: readonly string[], outer?: GitHistory): readonly KeptFromReading[] {
  const history = policy.history ?? outer
  const within = policy.within ? keptFromReading(policy.within, lines, history) : []
  const unreadable = policy.rules.byAction.read.filter(({ verdict }) => verdict === 'deny')
  if (!history || unreadable.length === 0) return within
  const { deniedInHistory, historyStarts, isReading, shownHistory } = commandParser()
  if (lines.every(isReading)) return within
  const known = rememberingHistory(history)
  if (deniedInHistory(unreadable, known)?.length === 0) return within
  const ruleOf = (line: string): string | undefined => shownHistory({ resource: line }, unreadable, known)?.rule.id
  return [{ judge: historyStarts(unreadable, known), ruleOf }, ...within]
}

/** Looks up once what a command cannot change from inside its sandbox. */
function rememberingHistory(history: GitHistory): GitHistory {
  const found = new Map<string, readonly string[] | undefined>()
  const parts = new Map<string, boolean>()
  return {
    denied(rules, isDenied) {
      if (!found.has(rules)) found.set(rules, history.denied(rules, isDenied))
      return found.get(rules)
    },
    isHidden: path => history.isHidden(path),
    has(what) {
      const known = parts.get(what) ?? history.has(what)
      parts.set(what, known)
      return known
    },
  }
}
