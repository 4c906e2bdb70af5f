import { literalOf, type Simple } from './script.ts'

const CONTROL = new Set(['break', 'continue', 'return', 'exit', 'shift'])

/** Reports whether a command only controls the flow of the script. It starts nothing and needs no rule. */
export function isControl(command: Simple): boolean {
  const { words, assignments, redirections } = command
  if (setsEnd(command) || awaitsJobs(command)) return true
  const [first, count, ...more] = words
  if (!first || !CONTROL.has(literalOf(first) ?? '') || more.length + assignments.length + redirections.length > 0)
    return false
  return !count || /^(\d{1,3}|"?\$\?"?)$/.test(count.source)
}

/** What `wait` may wait for. With `-p` it assigns, and evaluates an index in the name. */
const JOB = /^(\d+|%\d+|-n|-f|\$!|"\$!")$/

const awaitsJobs = ({ words: [first, ...jobs], assignments, redirections }: Simple): boolean =>
  first !== undefined &&
  literalOf(first) === 'wait' &&
  assignments.length + redirections.length === 0 &&
  jobs.every(({ source }) => JOB.test(source))

/** Options that end the script at an error, or print what runs: letters, and the names after `o`. */
const LETTERS = /^[-+][Eeuvx]+$/
const NAMED = /^[-+][Eeuvx]*o$/
const NAMES = /^(errexit|errtrace|nounset|pipefail|verbose|xtrace)$/

/** Reports whether it is a `set` with only such options: `set -euo pipefail`. Others change how words are read. */
function setsEnd({ words, assignments, redirections }: Simple): boolean {
  const [name, ...options] = words.map(literalOf)
  if (name !== 'set' || options.length === 0 || assignments.length + redirections.length > 0) return false
  return options.every((option = '', at) => {
    const isName = NAMED.test(options[at - 1] ?? '')
    const isLast = at === options.length - 1
    return isName ? NAMES.test(option) : LETTERS.test(option) || (NAMED.test(option) && !isLast)
  })
}
