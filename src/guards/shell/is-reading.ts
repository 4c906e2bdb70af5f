import { isControl } from './control-words.ts'
import { findExec } from './find-exec.ts'
import { isHarmlessAssignment, isKnownAssignment } from './harmless-assignment.ts'
import { redirectionConcern } from './harmless-redirection.ts'
import { parseLine } from './parse-line.ts'
import { judgeArguments } from './programs/judge-arguments.ts'
import { programOf } from './programs/programs.ts'
import { literalOf, type Simple } from './script.ts'
import { xargsCommand } from './xargs-command.ts'

/**
 * Reports whether a line consists only of reading commands: each is a program of the tables in a form that only reads,
 * with arguments known to keep it so, and no redirection writes. Such a line does the same on a read-only tree. This
 * does not say that a rule allows the line. Anything unfollowed or uncertain does not count as reading.
 */
export function isReading(line: string): boolean {
  const { commands, doubts, functions, broken } = parseLine(line)
  if (broken !== undefined || doubts.length + functions.length + (commands.length === 0 ? 1 : 0) > 0) return false
  return commands.every(isReadingCommand)
}

/** The same for one command of a line. */
export function isReadingCommand(command: Simple): boolean {
  const { words, assignments, redirections } = command
  if (redirections.some(redirection => redirectionConcern(redirection) !== undefined)) return false
  const [first] = words
  if (!first) return assignments.every(isHarmlessAssignment)
  if (command.isLoopRead) return true
  if (!assignments.every(isKnownAssignment)) return false
  if (isControl(command)) return true
  const findCommand = findExec(command)
  if (findCommand) return isReadingCommand(findCommand.find) && findCommand.commands.every(isReadingCommand)
  const filledCommand = xargsCommand(command)?.filled
  if (filledCommand) return isReadingCommand(filledCommand)
  const program = programOf(literalOf(first) ?? '')
  return program !== undefined && judgeArguments(program, words, { ruleLength: 0, onlyReads: true }).length === 0
}
