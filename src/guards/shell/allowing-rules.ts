import { coveringRule } from './covering-rule.ts'
import { isReadingCommand } from './is-reading.ts'
import { parseLine } from './parse-line.ts'

/**
 * Returns, for each command of a line that may change files, the rules that allow it; undefined unless all of the line
 * is followed.
 */
export function allowingRules<T extends { readonly id: string; readonly prefix: readonly string[] }>(
  line: string,
  rules: readonly T[],
): readonly (readonly T[])[] | undefined {
  const { broken, doubts, commands } = parseLine(line)
  if (broken !== undefined || doubts.length > 0) return undefined
  return commands
    .filter(command => !isReadingCommand(command))
    .map(command => rules.filter(rule => rule.prefix.length === 0 || coveringRule(command, [rule]).rule !== undefined))
}
