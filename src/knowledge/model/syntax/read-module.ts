import { parse, type ParsedScript } from '../../../languages/javascript/parse.ts'
import { childrenOf } from '../../../languages/javascript/scope.ts'

/** A script or module as JSON, for a process that walks it with a normal stack. */
export function moduleText(path: string, text: string): string {
  const { program, comments } = parse(path, text)
  checkDepth(program)
  return JSON.stringify({ program, comments }, (_, value) => (typeof value === 'bigint' ? null : value))
}

const DEEPEST = 1500

/** Throws as an exhausted stack would. */
function checkDepth(program: ParsedScript['program']): void {
  let level: readonly Parameters<typeof childrenOf>[0][] = [program]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) throw new RangeError('The tree is too deep')
    level = level.flatMap(childrenOf)
  }
}
