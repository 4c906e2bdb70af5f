import { ANY, canMatch, END, many, sequence, text, TEXT, walk, type State } from './automaton.ts'
import { markQuotes } from './safe-pattern.ts'

/** Command lines with nothing in common: a pattern that takes several of them was not written for any. */
const COMMANDS = ['rm -rf x', 'python3 -c 1', 'curl evil', 'zz-unlikely 7', 'qxv -k u', 'Tw.y 1', 'qxv', 'zz', 'reboot']
const SEVERAL = 3

/** What may stand behind the beginning of a command line: another word, an option with its value, several words. */
const ENDINGS = ['qxv', '-k u', 'zz-unlikely 7']

/** Values that a path, an address or a text would hardly share. */
const VALUES = ['qxv', '/etc/passwd', '../x.y', 'zz-unlikely 7']

/** Says which wildcards of a pattern let through more than its author may see. */
export function wildcardWarnings(pattern: string, automaton: State): readonly string[] {
  const named = [...pattern.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)
  const others = [...new Set(named)].filter(name => name !== 'command')
  const takes = (name: string) => (value: string) => canMatch(automaton, callWith(name, value))
  return [
    ...commandWarning(automaton, COMMANDS.filter(takes('command'))),
    ...others.filter(name => VALUES.every(takes(name))).map(name => `it lets any value of '${name}' through`),
  ]
}

function commandWarning(automaton: State, taken: readonly string[]): readonly string[] {
  if (taken.length === COMMANDS.length)
    return ["it lets any value of 'command' through: every command that is not chained"]
  if (taken.length >= SEVERAL)
    return [`it lets commands through that have nothing in common, such as '${taken.slice(0, SEVERAL).join("', '")}'`]
  const start = commandStart(automaton)
  return start === undefined ? [] : [`it covers every command that begins with '${start}'`]
}

/** The shortest beginning of a command line behind which the pattern takes anything; undefined if there is none. */
function commandStart(automaton: State): string | undefined {
  const inside: State = { steps: [], free: [] }
  inside.steps.push(...TEXT(inside).steps)
  const rests = ENDINGS.map(ending => sequence(text(markQuotes(`${ending}"`)), many(ANY), text('}'))(END))
  const opening = markQuotes('"command":"')
  const found = walk(
    automaton,
    sequence(text('{'), many(ANY), text(opening), TEXT)(inside),
    (state, shape) => shape === inside && rests.every(rest => canMatch(state, rest)),
  )
  return found?.slice(found.lastIndexOf(opening) + opening.length)
}

/** Every call with a parameter of this name and value, whatever its other parameters are. */
const callWith = (name: string, value: string): State =>
  sequence(text('{'), many(ANY), text(markQuotes(`"${name}":"${value}"`)), many(ANY), text('}'))(END)
