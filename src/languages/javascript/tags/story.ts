import type { Node, ObjectExpression, Program } from 'oxc-parser'
import { isStoryPath } from '../../file-model/path-kind.ts'
import { dottedName, keyName, topLevelValues } from '../names.ts'
import { isFunction } from '../scope.ts'
import type { Imported } from './imported.ts'

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
    return program.body.some(({ type }) => type === 'ExportNamedDeclaration') || isStoryPath(path)
  // Many objects have a title: the file has to show more.
  return isStoryPath(path) || (keys.every(key => META_KEYS.test(key)) && program.body.some(exportsStory))
}

const keysOf = ({ properties }: ObjectExpression): readonly string[] =>
  properties.flatMap(property => (property.type === 'Property' ? (keyName(property.key, property.computed) ?? []) : []))

/** `export const Primary = …`, a function, a Storybook call, or `Template.bind({})`. */
function exportsStory(statement: Node): boolean {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : null
  if (!declaration) return false
  if (declaration.type === 'VariableDeclaration')
    return declaration.declarations.some(
      ({ id, init }) => id.type === 'Identifier' && init && isTitled(id.name) && tells(init),
    )
  return declaration.type === 'FunctionDeclaration' && isTitled(declaration.id?.name ?? '')
}

const isTitled = (name: string): boolean => /^\p{Lu}.*\P{Lu}|^\p{Lu}$/u.test(name)

function tells(value: Node): boolean {
  if (isFunction(value)) return true
  if (value.type === 'CallExpression') return dottedName(value.callee)?.endsWith('.bind') ?? false
  const story = plainObject(value)
  return story !== undefined && keysOf(story).some(key => STORY_KEYS.test(key))
}

function defaultObject(program: Program): ObjectExpression | undefined {
  for (const statement of program.body) {
    if (statement.type !== 'ExportDefaultDeclaration') continue
    const { declaration } = statement
    return plainObject(declaration.type === 'Identifier' ? topLevelValues(program).get(declaration.name) : declaration)
  }
  return undefined
}

/** Strips `satisfies` and `as`, and unwraps `preview.meta({…})`. */
function plainObject(node: Node | undefined): ObjectExpression | undefined {
  if (node?.type === 'ObjectExpression') return node
  if (node?.type === 'TSSatisfiesExpression' || node?.type === 'TSAsExpression') return plainObject(node.expression)
  const isMeta = node?.type === 'CallExpression' && dottedName(node.callee)?.endsWith('.meta')
  return isMeta ? plainObject(node.arguments[0]) : undefined
}
