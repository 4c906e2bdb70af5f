import { argumentConcerns } from './arguments.ts'
import { isControl } from './control-words.ts'
import { isInside } from './inside.ts'
import { literalOf, type Simple } from './script.ts'

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const TESTS = names('[ test')

/** Programs that only show what they are pointed at, and do the same in every directory. */
const READERS =
  names(`ls cat head tail wc grep egrep fgrep rg find sort echo printf pwd stat file tree uniq cut tr diff cmp xxd base64 jq du nl tac
basename dirname md5sum sha1sum sha256sum cksum date true false : [ test cd`)

/** Whether a command is a question about files of the workspace that the shell answers itself. */
export function isQuestion({ words }: Simple): boolean {
  const [first, ...rest] = words
  if (!first || !TESTS.has(literalOf(first) ?? '') || argumentConcerns(words, 1).length > 0) return false
  return rest.every(word => isInside(literalOf(word) ?? ''))
}

/** Whether a command only changes to another directory of the workspace, among commands that mean the same there. */
export function isMove(command: Simple, commands: readonly Simple[]): boolean {
  const { words, assignments, redirections } = command
  const [first, where] = words
  if (!first || literalOf(first) !== 'cd' || assignments.length + redirections.length > 0) return false
  // A name that is not spelled from here may be found elsewhere.
  if (!where || argumentConcerns(words, 1).length > 0 || /^\.\.?(\/|$)/.test(where.source)) return false
  return commands.every(one => one.words.length === 0 || isControl(one) || READERS.has(programOf(one)))
}

const programOf = ({ words: [first], isCall }: Simple): string => (isCall || !first ? '' : (literalOf(first) ?? ''))
