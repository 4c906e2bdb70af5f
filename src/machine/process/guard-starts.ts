import type { RefusedStart, StartRules, StartVerdict } from '../../kernel/start-rules.ts'
import type { CallContext } from '../../kernel/tool.ts'
import type { GuardedStart, StartGuard } from './sandbox/types.ts'

/** Guard of one command's program starts, with its refusals. */
interface GuardedStarts {
  readonly guard: StartGuard
  readonly refused: readonly RefusedStart[]
  /** Returns a program that continued after one of its steps was refused. Its report and exit code are worthless. */
  halfDone(): { readonly program: string; readonly refused: RefusedStart } | undefined
}

/** Maximum number of refusals in a record and a result. The last entry says that there were more. */
const MOST = 50

/**
 * Puts every start of a named program before policy. A rule that requires approval asks once per call; the decision
 * covers all starts the rule matches. Refuses these starts without `ask`.
 */
export function guardStarts(rules: StartRules, ask: CallContext['askStart']): GuardedStarts {
  const refusals: RefusedStart[] = []
  const answers = new Map<string, Promise<string | undefined>>()
  let half: ReturnType<GuardedStarts['halfDone']>
  const refuse = (
    { command, rule, argv = [] }: StartVerdict,
    why: string,
    chain: readonly string[],
    parent: readonly string[],
  ): string => {
    const start = { command, why, ...(rule !== undefined && { rule }), chain }
    const program = rules.halfDone(argv, parent)
    if (program !== undefined) half ??= { program, refused: start }
    const isKnown = refusals.some(one => isSame(one, start))
    if (!isKnown && refusals.length < MOST) refusals.push(start)
    else if (!isKnown && refusals.length === MOST) refusals.push(MORE)
    return `'${command}' may not start: ${why}`
  }
  const answerTo = (verdict: StartVerdict, chain: readonly string[]): Promise<string | undefined> => {
    const key = verdict.rule ?? ''
    const answer = answers.get(key) ?? ask?.({ ...verdict, chain }) ?? Promise.resolve(NO_ANSWERER)
    answers.set(key, answer)
    return answer
  }
  return {
    refused: refusals,
    halfDone: () => half,
    guard: {
      programs: rules.programs,
      programOf: rules.programOf,
      judge(start: GuardedStart) {
        const verdict = rules.judge(start)
        if (verdict.verdict === 'allow') return undefined
        const [chain, parent] = [start.chain(), start.parent()]
        if (verdict.verdict === 'deny') return refuse(verdict, `it is denied (${verdict.why})`, chain, parent)
        if (!ask) return refuse(verdict, `it needs approval (${verdict.why}), but ${NO_ANSWERER}`, chain, parent)
        return answerTo(verdict, chain).then(no =>
          no === undefined
            ? undefined
            : refuse(verdict, `it needs approval (${verdict.why}), but ${no}`, chain, parent),
        )
      },
    },
  }
}

const isSame = (one: RefusedStart, other: RefusedStart): boolean =>
  one.command === other.command && one.why === other.why && one.chain.join('\n') === other.chain.join('\n')

const MORE: RefusedStart = { command: '…', why: `more than ${MOST} starts were refused`, chain: [] }

const NO_ANSWERER = 'no one can be asked here'

/** Warnings about refused program starts. */
export const refusalWarnings = (refusals: readonly RefusedStart[]): readonly string[] =>
  refusals.map(({ command, why, chain }) => {
    const from = chain.length === 0 ? '' : `; started by ${chain.map(clip).join(' → ')}`
    return `'${command}' did not start: ${why}${from}`
  })

const SHOWN = 80

const clip = (line: string): string => (line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line)
