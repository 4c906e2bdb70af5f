import { keyName } from './binding-names.ts'
import { dottedName } from './callee.ts'
import type { Imported } from './imported.ts'
import { isFunction, isName, type Literal, type Program, type Syntax } from './syntax.ts'

const META_KEYS =
  /^(title|id|tags|args|argTypes|parameters|decorators|loaders|globals|render|play|beforeEach|(sub)?components?|(in|ex)cludeStories)$/
const STORY_KEYS = /^(args|argTypes|parameters|decorators|loaders|render|play|storyName)$/

/** Component Story Format: the default export describes a component, the others are stories of it. */
export function isStory(program: Program, uses: Imported, path: string): boolean {
  const meta = defaultObject(program)
  if (!meta) return false
  const keys = keysOf(meta)
  if (!keys.includes('component') && !keys.includes('title')) return false
  if ([...uses.modules].some(module => module.startsWith('@storybook/') || module === 'storybook')) return true
  if (keys.includes('component'))
    return program.body.some(({ type }) => /^Export(Named|From)?Declaration$/.test(type)) || isNamedStories(path)
  // Many things have a title: the file has to say more.
  return isNamedStories(path) || (keys.every(key => META_KEYS.test(key)) && [...program.body].some(exportsStory))
}

const isNamedStories = (path: string): boolean => /\.stories\.[^./]+$/.test(path)

const keysOf = ({ properties }: Literal): readonly string[] =>
  [...properties].flatMap(property =>
    property.type === 'ObjectProperty' ? (keyName(property.key, property.computed) ?? []) : [],
  )

/** `export const Primary = …`, by a function, by what Storybook takes, or as `Template.bind({})`. */
function exportsStory(statement: Syntax): boolean {
  if (statement.type !== 'ExportDeclaration') return false
  const { declaration } = statement
  if (declaration.type === 'VariableDeclaration')
    return [...declaration.declarations].some(({ id, init }) => isName(id) && init && isTitled(id.name) && tells(init))
  return isFunction(declaration) && 'id' in declaration && declaration.id !== null && isTitled(declaration.id.name)
}

const isTitled = (name: string): boolean => /^\p{Lu}.*\P{Lu}|^\p{Lu}$/u.test(name)

function tells(value: Syntax): boolean {
  if (isFunction(value)) return true
  if (value.type === 'CallExpression') return dottedName(value.callee)?.endsWith('.bind') ?? false
  const story = plainObject(value)
  return story !== undefined && keysOf(story).some(key => STORY_KEYS.test(key))
}

function defaultObject(program: Program): Literal | undefined {
  for (const statement of program.body) {
    if (statement.type !== 'ExportDefaultDeclaration') continue
    const { declaration } = statement
    if (isName(declaration)) return variable(program, declaration.name)
    return plainObject(declaration)
  }
  return undefined
}

function variable(program: Program, name: string): Literal | undefined {
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations)
      if (isName(id) && id.name === name && init) return plainObject(init)
  }
  return undefined
}

/** Without `satisfies` and `as` around it, and out of `preview.meta({…})`. */
function plainObject(node: Syntax): Literal | undefined {
  if (node.type === 'ObjectExpression') return node
  if (node.type === 'TSSatisfiesExpression' || node.type === 'TSAsExpression') return plainObject(node.expression)
  if (node.type !== 'CallExpression') return undefined
  const [first] = node.arguments
  const isMeta = dottedName(node.callee)?.endsWith('.meta') ?? false
  return isMeta && first ? plainObject(first) : undefined
}
