import { parse, type ParsedScript } from '../javascript/parse.ts'
import { languageOf } from '../languages.ts'
import { scriptOnly } from '../script-only.ts'
import { childrenOf } from '../javascript/scope.ts'

/** Parses a script or module with comments and errors, of a component its scripts where they stand. */
export function readModule(path: string, text: string): ParsedScript {
  if (languageOf(path) !== 'vue') return parse(path, text)
  const script = scriptOnly(text)
  return parse(`${path}.${script.ending}`, script.text)
}

/** The same as JSON, for whoever walks it elsewhere with a stack as other programs have. */
export function moduleText(path: string, text: string): string {
  const { program, comments } = readModule(path, text)
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
