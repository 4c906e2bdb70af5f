import type { ProgramStart, StartVerdict } from '../../kernel/start-rules.ts'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import { isStricter } from '../verdict.ts'
import { denyFit } from './deny-fit.ts'
import { familyName, twinName } from './family-name.ts'
import type { Fit } from './rule-fit.ts'
import { isConnecting } from './git-steps.ts'
import type { CommandRule } from './judge-command.ts'
import { moduleCommand, PYTHON_MODULES } from './module-command.ts'
import { programName } from './program-name.ts'

/** One file for many programs, distinguished by the first argument if its own name does not say which. */
const MULTICALL = new Set(['busybox', 'toybox', 'coreutils'])
const LONGEST = 300

/** Judges a program with its real arguments by the rules that ask or deny. */
export function judgeStart(start: ProgramStart, rules: readonly CommandRule[]): StartVerdict {
  const commands = commandsOf(start)
  const isStep = commands.some(argv => isConnecting(argv, () => start.parent?.() ?? []))
  let worst: StartVerdict = { verdict: 'allow', why: 'no rule covers it', command: shortText(commands[0] ?? []) }
  for (const rule of rules) {
    for (const argv of commands) {
      const fit = fitOf(rule, argv, isStep)
      if (fit === 'none') continue
      const verdict = fit === 'whole' ? rule.verdict : 'ask'
      const isWorse = isStricter(verdict, worst.verdict) || (verdict === worst.verdict && rule.always && !worst.always)
      if (isWorse) worst = verdictOf(rule, verdict, argv)
    }
  }
  return worst
}

/** Returns the name by which rules know a file, if a rule names that program. */
export function namedProgram(file: string, programs: ReadonlySet<string>): string | undefined {
  const name = programName(file)
  if (programs.has(name)) return name
  const twins = new Set([name, familyName(name)[0]].map(twinName))
  return [...programs].find(known => twins.has(twinName(known)))
}

/** Returns the programs that can start as a command of these rules. */
export const programsOf = (rules: readonly CommandRule[]): readonly string[] =>
  [...new Set(rules.map(({ prefix: [name = ''] }) => programName(name)))].flatMap(name =>
    PYTHON_MODULES.has(twinName(name)) ? [name, 'python', 'pypy'] : [name],
  )

/**
 * Returns the commands that a start may be. The name of a link that existed before says what it is: `vim` is not `vi`,
 * even if both are the same file. A link that could have been created inside says nothing, and stands for every name of
 * the file.
 */
function commandsOf({ names, path, isFixed, args }: ProgramStart): readonly (readonly string[])[] {
  const name = programName(path)
  const heads = [[name], [...familyName(name)], ...(isFixed ? [] : names.map(known => [known]))]
  const inner = MULTICALL.has(name) ? [args.slice(args.findIndex(word => !word.startsWith('-')))] : []
  const commands = heads.map(head => [...head, ...args])
  const modules = commands.flatMap(words => {
    const module = moduleCommand(words[0] ?? '', words)
    return module ? [module] : []
  })
  return [...commands, ...inner, ...modules]
}

const fitOf = ({ prefix, lastBegins }: CommandRule, argv: readonly string[], isStep: boolean): Fit =>
  denyFit(
    prefix,
    argv.map(text => ({ text, sure: true })),
    { lastBegins, aliasesStartAgain: !argv.some(corrects), isConnecting: isStep },
  )

/** Reports whether git is set to correct a misspelled subcommand, for which it starts nothing. */
const corrects = (word: string): boolean => /autocorrect/i.test(word)

const verdictOf = (rule: CommandRule, verdict: StartVerdict['verdict'], argv: readonly string[]): StartVerdict => ({
  verdict,
  why: rule.why ?? `rule ${rule.id}`,
  command: shortText(argv),
  argv,
  rule: rule.id,
  ...(rule.always && verdict === 'ask' && { always: true }),
})

function shortText(argv: readonly string[]): string {
  const text = quoteArgv(argv.slice(0, LONGEST))
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
