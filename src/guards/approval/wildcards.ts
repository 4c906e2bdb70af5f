import { ANY, canMatch, END, many, sequence, text, TEXT, walk, type State } from './automaton.ts'
import { markQuotes } from './safe-pattern.ts'

/** Unrelated command lines: a pattern that matches several of them is too broad. */
const COMMANDS = ['rm -rf x', 'python3 -c 1', 'curl evil', 'zz-unlikely 7', 'qxv -k u', 'Tw.y 1', 'qxv', 'zz', 'reboot']
const SEVERAL = 3

/** Possible continuations of a command line: another word, an option with its value, several words. */
const ENDINGS = ['qxv', '-k u', 'zz-unlikely 7']

/** Values that no path, address or text would share. */
const VALUES = ['qxv', '/etc/passwd', '../x.y', 'zz-unlikely 7']

/** Returns warnings about wildcards that match more than the author may expect. */
export function wildcardWarnings(pattern: string, automaton: State): readonly string[] {
  const parameterNames = [...pattern.matchAll(/"(\w+)"/g)].map(([, name = '']) => name)
  const others = [...new Set(parameterNames)].filter(name => name !== 'command')
  const acceptsFor = (name: string) => (value: string) => canMatch(automaton, callWith(name, value))
  return [
    ...commandWarning(automaton, COMMANDS.filter(acceptsFor('command'))),
    ...others.filter(name => VALUES.every(acceptsFor(name))).map(name => `it lets any value of '${name}' through`),
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

/** Returns the shortest command prefix after which the pattern matches anything; undefined if there is none. */
function commandStart(automaton: State): string | undefined {
  const inside: State = { steps: [], free: [] }
  inside.steps.push(...TEXT(inside).steps)
  const rests = ENDINGS.map(ending => sequence(text(markQuotes(`${ending}"`)), many(ANY), text('}'))(END))
  const opening = markQuotes('"command":"')
  const commandText = walk(
    automaton,
    sequence(text('{'), many(ANY), text(opening), TEXT)(inside),
    (state, shape) => shape === inside && rests.every(rest => canMatch(state, rest)),
  )
  return commandText?.slice(commandText.lastIndexOf(opening) + opening.length)
}

/** Matches every call with this parameter and value. */
const callWith = (name: string, value: string): State =>
  sequence(text('{'), many(ANY), text(markQuotes(`"${name}":"${value}"`)), many(ANY), text('}'))(END)
