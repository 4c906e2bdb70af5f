import { commandParser } from './command-parser.ts'
import type { Policy } from './policy.ts'

/** A rule that lets a command run, and does not say what it may change. */
interface SilentRule {
  readonly id: string
  readonly command: string
}

/** A remembered answer, as far as it is about commands and files. */
interface RememberedAnswer {
  readonly id: string
  readonly enabled: boolean
  readonly grants?: readonly { readonly action: string; readonly command?: string | undefined }[] | undefined
}

/** The remembered answers that let a command run and name no file that it may change. */
export function answersWithAskedChanges(policy: Policy, answers: readonly RememberedAnswer[]): readonly SilentRule[] {
  if (mayWriteAnything(policy)) return []
  return answers.flatMap(({ id, enabled, grants = [] }) => {
    const namesFiles = grants.some(({ action }) => action === 'write' || action === 'create')
    if (!enabled || namesFiles) return []
    const commands = grants.flatMap(({ action, command }) =>
      action === 'exec' && command !== undefined ? [command] : [],
    )
    return commands.filter(mayChange).map(command => ({ id, command }))
  })
}

/**
 * The rules that allow a command whose changes are asked about: the command may write, the rule does not say what
 * (`writes`), and the default for writing asks or denies.
 */
export function rulesWithAskedChanges(policy: Policy): readonly SilentRule[] {
  if (mayWriteAnything(policy)) return []
  return policy.rules.byAction.exec.flatMap(({ id, verdict, command = '*', writes }) => {
    const isSilent = verdict === 'allow' && writes === undefined
    return isSilent && mayChange(command) ? [{ id, command }] : []
  })
}

const mayChange = (command: string): boolean => command === '*' || !commandParser().isReading(command)

const mayWriteAnything = ({ defaults, rules }: Policy): boolean =>
  defaults.write === 'allow' ||
  rules.byAction.write.some(({ verdict, matcher }) => verdict === 'allow' && matcher.covers(''))
