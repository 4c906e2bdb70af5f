import { argumentConcerns } from './arguments.ts'
import { isControl } from './control-words.ts'
import { staysInside } from './stays-inside.ts'
import { isReadingCommand } from './is-reading.ts'
import { literalOf, type Script, type Simple } from './script.ts'

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const TESTS = names('[ test')

/** Programs that only show what their arguments name, and do the same in every directory. */
const READERS =
  names(`ls cat head tail wc grep egrep fgrep rg find sort echo printf pwd stat file tree uniq cut tr diff cmp xxd base64 jq du nl tac
basename dirname md5sum sha1sum sha256sum cksum date true false : [ test cd`)

/** Reports whether a command is a test on files of the workspace that the shell answers itself. */
export function isQuestion({ words }: Simple): boolean {
  const [first, ...rest] = words
  if (!first || !TESTS.has(literalOf(first) ?? '') || argumentConcerns(words, 1).length > 0) return false
  return rest.every(word => staysInside(literalOf(word) ?? ''))
}

/** Programs that run what their project defines, as they do if a call names its directory. */
const RUNNERS = names('npm pnpm yarn make cargo go pytest tsc eslint prettier vitest jest')

/**
 * Reports whether a command only changes to another directory of the workspace, among commands that mean the same
 * there.
 */
export function isMove(command: Simple, script: Script): boolean {
  const { words, assignments, redirections } = command
  const [first] = words
  if (!first || literalOf(first) !== 'cd' || assignments.length + redirections.length > 0) return false
  if (words.length < 2 || argumentConcerns(words, 1).length > 0) return false
  const { commands, functions, doubts } = script
  if (commands.every(one => one.words.length === 0 || isControl(one) || isSameAnywhere(programOf(one)))) return true
  // The directory may look like a repository, but in a read-only line git is configured not to trust it.
  return functions.length + doubts.length === 0 && commands.every(isReadingCommand)
}

const isSameAnywhere = (program: string): boolean => READERS.has(program) || RUNNERS.has(program)

const programOf = ({ words: [first], isCall }: Simple): string => (isCall || !first ? '' : (literalOf(first) ?? ''))
