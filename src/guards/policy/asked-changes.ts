import { commandParser } from './command-parser.ts'
import type { Policy } from './policy.ts'

/** A rule that allows a command without saying what it may change. */
interface SilentRule {
  readonly id: string
  readonly command: string
}

/** The part of a remembered answer about commands and files. */
interface RememberedAnswer {
  readonly id: string
  readonly enabled: boolean
  readonly grants?: readonly { readonly action: string; readonly command?: string | undefined }[] | undefined
}

/** Returns the remembered answers that allow a command and name no file that it may change. */
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
 * Returns the rules that allow a command whose changes need approval: the command may write, the rule does not say what
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
