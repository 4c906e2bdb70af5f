import { literalOf, type Simple } from './script.ts'
import { isHarmlessVariable } from './harmless-variable.ts'

const FLAGS = /^-[rs]+$/
const VALUED = /^-[dnNtpu]$/

/**
 * Returns the variables that a shell's `read` sets, if it does nothing else and they affect only the line:
 * `read -r name`, `IFS= read -r name`. Returns undefined for every other command.
 */
export function plainRead({ words, assignments }: Simple): readonly string[] | undefined {
  const [first, ...rest] = words.map(literalOf)
  if (first !== 'read' || words[0]?.source !== 'read') return undefined
  if (!assignments.every(({ name, value, elements }) => name === 'IFS' && !elements && literalOf(value) !== undefined))
    return undefined
  let at = 0
  for (; rest[at]?.startsWith('-'); at++) {
    const option = rest[at] ?? ''
    if (FLAGS.test(option)) continue
    if (!VALUED.test(option) || rest[++at] === undefined) return undefined
  }
  const names = rest.slice(at)
  return names.length > 0 && names.every(isName) ? names : undefined
}

const isName = (name: string | undefined): name is string => name !== undefined && isHarmlessVariable(name)
