import type { GitHistory } from '../../kernel/git-history.ts'
import type { StartRules, StartVerdict } from '../../kernel/start-rules.ts'
import { commandParser } from './command-parser.ts'
import type { Policy } from './policy.ts'
import { isStricter } from '../verdict.ts'

/**
 * A rule that asks or denies a command and names its program, so that it can be checked at every start of that program.
 */
type NamedRule = Parameters<ReturnType<typeof commandParser>['judgeStart']>[1][number]

/** The command lines of a call, and what a person approved before anything starts. */
export interface StartingLines {
  readonly lines: readonly string[]
  /** The lines were approved; `rule` is the one that the question was about. */
  readonly approved?: { readonly rule: string | undefined } | undefined
}

/**
 * Returns a policy's rules for program starts; undefined if no rule names a program and git's history holds nothing
 * unreadable. Approval of the line already answers the asks that it covers.
 */
export function startRulesOf(policy: Policy, { lines, approved }: StartingLines): StartRules | undefined {
  const programRules = namedRules(policy)
  const unreadableHistory = unreadableFiles(policy, lines)
  if (programRules.length === 0 && unreadableHistory.length === 0) return undefined
  const { halfDone, judgeStart, metBy, namedProgram, programsOf } = commandParser()
  const historyRules = approved
    ? lines.flatMap(line => unreadableHistory.flatMap(({ ruleOf }) => ruleOf(line) ?? []))
    : []
  const answeredRules = new Set(
    approved ? [approved.rule, ...historyRules, ...lines.flatMap(line => metBy(line, programRules))] : [],
  )
  const rules = programRules.filter(rule => rule.verdict === 'deny' || !answeredRules.has(rule.id))
  const programs = new Set(programsOf(rules))
  if (unreadableHistory.length > 0) programs.add('git')
  return {
    programs: [...programs],
    programOf: file => namedProgram(file, programs),
    halfDone,
    judge(start) {
      const historic = start.names.includes('git') ? unreadableHistory.flatMap(({ judge }) => judge(start) ?? []) : []
      // An ask may come from a rule that denies. Approval of the line covers it, because its question named the rule.
      const isOpen = ({ verdict, rule }: StartVerdict): boolean =>
        verdict === 'deny' || (verdict === 'ask' && !(rule !== undefined && answeredRules.has(rule)))
      const startVerdict = judgeStart(start, rules)
      const open = [startVerdict, ...historic].filter(isOpen)
      return open.reduce(
        (worst, one) => (isStricter(one.verdict, worst.verdict) ? one : worst),
        open[0] ?? { ...startVerdict, verdict: 'allow' },
      )
    },
  }
}

/** A rule that is checked whenever one of its programs starts. */
export interface WatchedRule {
  readonly rule: string
  readonly verdict: 'ask' | 'deny'
  readonly command: string
  /** The programs that get a stand-in for it. */
  readonly programs: readonly string[]
}

/** Returns the rules that hold when programs start, for these lines. */
export function watchedRules(policy: Policy, lines: readonly string[]): readonly WatchedRule[] {
  const { programsOf } = commandParser()
  const programRules = namedRules(policy).flatMap((rule): WatchedRule[] => {
    const { id, verdict, prefix } = rule
    if (verdict === 'allow') return []
    return [{ rule: id, verdict, command: prefix.join(' '), programs: programsOf([rule]) }]
  })
  if (unreadableFiles(policy, lines).length === 0) return programRules
  return [...programRules, { rule: 'builtin:history', verdict: 'ask', command: 'git', programs: ['git'] }]
}

const namedRules = (policy: Policy): readonly NamedRule[] => [
  ...policy.rules.byAction.exec.flatMap(({ matcher: { prefix = [], lastBegins }, ...rule }) =>
    rule.verdict === 'allow' || rule.depth === 'line' || prefix.length === 0 ? [] : [{ ...rule, prefix, lastBegins }],
  ),
  ...(policy.within ? namedRules(policy.within) : []),
]

/** How git is judged if its history holds unreadable files. */
interface UnreadableFiles {
  readonly judge: (start: Parameters<StartRules['judge']>[0]) => StartVerdict | undefined
  /** Returns the rule that a line visibly meets. */
  readonly ruleOf: (line: string) => string | undefined
}

/** Looks nothing up for lines of reading commands, which start nothing that they do not show. */
function unreadableFiles(policy: Policy, lines: readonly string[], outer?: GitHistory): readonly UnreadableFiles[] {
  const history = policy.history ?? outer
  const within = policy.within ? unreadableFiles(policy.within, lines, history) : []
  const unreadable = policy.rules.byAction.read.filter(({ verdict }) => verdict === 'deny')
  if (!history || unreadable.length === 0) return within
  const { deniedInHistory, historyStarts, isReading, shownHistory } = commandParser()
  if (lines.every(isReading)) return within
  const cachedHistory = rememberingHistory(history)
  if (deniedInHistory(unreadable, cachedHistory)?.length === 0) return within
  const ruleOf = (line: string): string | undefined =>
    shownHistory({ resource: line }, unreadable, cachedHistory)?.rule.id
  return [{ judge: historyStarts(unreadable, cachedHistory), ruleOf }, ...within]
}

/** Looks up once what a command cannot change from inside its sandbox. */
function rememberingHistory(history: GitHistory): GitHistory {
  const deniedByRules = new Map<string, readonly string[] | undefined>()
  const parts = new Map<string, boolean>()
  return {
    denied(rules, isDenied) {
      if (!deniedByRules.has(rules)) deniedByRules.set(rules, history.denied(rules, isDenied))
      return deniedByRules.get(rules)
    },
    isHidden: path => history.isHidden(path),
    has(what) {
      const isThere = parts.get(what) ?? history.has(what)
      parts.set(what, isThere)
      return isThere
    },
  }
}
