import { literalOf, type Simple } from './script.ts'

const CONTROL = new Set(['break', 'continue', 'return', 'exit', 'shift'])

/** Whether a command only says where the script goes on; nothing is started, and nothing needs a rule. */
export function isControl({ words, assignments, redirections }: Simple): boolean {
  const [first, count, ...more] = words
  if (!first || !CONTROL.has(literalOf(first) ?? '') || more.length + assignments.length + redirections.length > 0)
    return false
  return !count || /^(\d{1,3}|"?\$\?"?)$/.test(count.source)
}
