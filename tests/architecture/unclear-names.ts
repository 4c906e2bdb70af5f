import { parseSync, Visitor, type ESTree } from 'rolldown/utils'

/** A declaration whose name does not say what the thing is. */
export interface UnclearName {
  readonly file: string
  readonly line: number
  readonly name: string
}

/** Words that say what was done to a thing, or that only this house uses. */
const WORDS =
  'told gone held asked given meant shown found kept taken brought left made said seen known own apart wishes room desk ' +
  'twin outlet veil ground spill fits takes isNear sameAgain built bound caught chosen cut drawn done fallen forgotten ' +
  'hidden laid lent lost met paid put read risen run sent set spent split spoken stood struck thrown understood won woven ' +
  'written'

/** Words of the list above that are also nouns or verbs of the field: as such they say enough. */
const CLEAR: ReadonlySet<string> = new Set(['bound', 'cut', 'put', 'read', 'run', 'set', 'split'])

const UNCLEAR: ReadonlySet<string> = new Set(WORDS.split(' ').filter(word => !CLEAR.has(word)))

/** `changed`, `allowed`: a regular participle that stands alone. Nouns and adjectives of the field that end alike are left out. */
const PARTICIPLE = /^[a-z]{2,}ed$/
const NOT_A_PARTICIPLE: ReadonlySet<string> = new Set([
  'embed',
  'exceed',
  'feed',
  'need',
  'proceed',
  'seed',
  'sed',
  'speed',
  'succeed',
])

/** Returns the words of the glossary, which say enough where they stand alone. */
export const glossaryWords = (page: string): ReadonlySet<string> =>
  new Set(
    [...page.matchAll(/^\| \*\*(?<words>[^*]+)\*\*/gm)].flatMap(({ groups }) => groups?.['words']?.split(', ') ?? []),
  )

/** Reports whether a declaration of this name says nothing about what it is. */
export const isUnclear = (name: string): boolean =>
  UNCLEAR.has(name) || (PARTICIPLE.test(name) && !NOT_A_PARTICIPLE.has(name))

/** Finds the declarations of one source that are named so: constants, variables, functions, and parameters of exported functions. */
export function unclearNames(file: string, text: string, glossary: ReadonlySet<string>): readonly UnclearName[] {
  const found: UnclearName[] = []
  const judge = (name: string, start: number): void => {
    if (isUnclear(name) && !glossary.has(name))
      found.push({ file, line: text.slice(0, start).split('\n').length, name })
  }
  const { program } = parseSync(file, text)
  const judgeParameters = (of: ESTree.Function | ESTree.ArrowFunctionExpression): void => {
    for (const each of of.params) for (const { name, start } of boundNames(each)) judge(name, start)
  }
  new Visitor({
    VariableDeclarator: ({ id }) => {
      for (const { name, start } of boundNames(id)) judge(name, start)
    },
    FunctionDeclaration: ({ id }) => void (id && judge(id.name, id.start)),
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type === 'FunctionDeclaration') judgeParameters(declaration)
      if (declaration?.type !== 'VariableDeclaration') return
      for (const { init } of declaration.declarations)
        if (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression') judgeParameters(init)
    },
  }).visit(program)
  return found
}

interface BoundName {
  readonly name: string
  readonly start: number
}

/** Lists the names that a pattern declares itself: one that only takes over a property's name is named elsewhere. */
function boundNames(pattern: ESTree.Node): readonly BoundName[] {
  switch (pattern.type) {
    case 'Identifier':
      return [{ name: pattern.name, start: pattern.start }]
    case 'AssignmentPattern':
      return boundNames(pattern.left)
    case 'ArrayPattern':
      return pattern.elements.flatMap(each => (each ? boundNames(each) : []))
    case 'ObjectPattern':
      return pattern.properties.flatMap(each =>
        each.type === 'RestElement' ? boundNames(each.argument) : each.shorthand ? [] : boundNames(each.value),
      )
    case 'RestElement':
      return boundNames(pattern.argument)
    default:
      return []
  }
}
