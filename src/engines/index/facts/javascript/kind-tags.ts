import type { CallExpression, Expression, Node, ObjectExpression, Program } from 'oxc-parser'
import { keyName } from './binding-names.ts'
import { dottedName, originOf } from './callee.ts'
import type { Imported } from './imported.ts'
import type { Visitor } from './visit.ts'

const TEST_MODULES =
  /^(vitest|@jest\/globals|node:test|test|mocha|bun:test|@playwright\/test|ava|tap|tape|uvu|qunit|jasmine|@japa\/runner|@std\/testing.*|zora)$/
const TEST_NAMES =
  /^(describe|it|test|suite|context|specify|fdescribe|fit|xdescribe|xit|Deno\.test|QUnit\.(test|module))(\.|$)/
const STYLE_MODULES =
  /^(styled-components|@emotion\/(styled|css|react)|@linaria\/(core|react|atomic)|linaria|goober|@vanilla-extract\/css|@stitches\/react|@pandacss\/.*|styled-jsx\/css|@stylexjs\/stylex|aphrodite)$/

export interface KindTags extends Visitor {
  kinds(): ReadonlySet<string>
}

/** Finds what a file is there for: test, story, style. */
export function kindTags(program: Program, uses: Imported): KindTags {
  const found = new Set<string>()
  if (isStory(program, uses)) found.add('story')
  return {
    kinds: () => found,
    enter(node) {
      if (node.type === 'CallExpression') {
        if (isTest(node, uses)) found.add('test')
        else if (isStoryCall(node, uses)) found.add('story')
        else if (isStyle(node.callee, uses)) found.add('style')
      } else if (node.type === 'TaggedTemplateExpression' && isStyle(node.tag, uses)) found.add('style')
    },
    leave() {},
  }
}

/** A framework's function, or a global of that name that is handed a title and a function. */
function isTest({ callee, arguments: args }: CallExpression, uses: Imported): boolean {
  const name = dottedName(
    callee.type === 'CallExpression' || callee.type === 'TaggedTemplateExpression' ? tableOf(callee) : callee,
  )
  if (name === undefined) return false
  const origin = originOf(name, uses)
  const [first, second] = args
  const isTitled = first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && typeof first.value === 'string')
  if (origin)
    return (
      TEST_MODULES.test(origin.module) &&
      (origin.name === 'default' || origin.name === '*' || TEST_NAMES.test(origin.name))
    )
  return (
    TEST_NAMES.test(name) && isTitled && second !== undefined && /Function|Object|Identifier|Call/.test(second.type)
  )
}

/** `test.each(table)('…', …)` */
const tableOf = (node: Node): Node =>
  node.type === 'CallExpression' ? node.callee : node.type === 'TaggedTemplateExpression' ? node.tag : node

function isStyle(callee: Node, uses: Imported): boolean {
  const inner = callee.type === 'CallExpression' ? callee.callee : callee
  const name =
    dottedName(inner) ??
    (inner.type === 'MemberExpression' && inner.object.type === 'CallExpression'
      ? dottedName(inner.object.callee)
      : undefined)
  if (name === undefined) return false
  const origin = originOf(name, uses)
  if (!origin) return false
  return STYLE_MODULES.test(origin.module) || (origin.module === 'react-native' && /^StyleSheet\.create$/.test(name))
}

const isStoryCall = ({ callee }: CallExpression, uses: Imported): boolean => {
  const name = dottedName(callee)
  return (
    name !== undefined && /^storiesOf$/.test(name) && (originOf(name, uses)?.module.startsWith('@storybook/') ?? false)
  )
}

/** Component Story Format: the default export describes a component, the others are stories of it. */
function isStory(program: Program, uses: Imported): boolean {
  const meta = defaultObject(program)
  if (!meta) return false
  const keys = new Set(
    meta.properties.flatMap(property =>
      property.type === 'Property' ? (keyName(property.key, property.computed) ?? []) : [],
    ),
  )
  if (!keys.has('component') && !keys.has('title')) return false
  const isStorybook = [...uses.modules].some(module => module.startsWith('@storybook/') || module === 'storybook')
  const hasStories = program.body.some(({ type }) => type === 'ExportNamedDeclaration')
  return isStorybook || (hasStories && keys.has('component'))
}

function defaultObject(program: Program): ObjectExpression | undefined {
  for (const statement of program.body) {
    if (statement.type !== 'ExportDefaultDeclaration') continue
    const { declaration } = statement
    if (declaration.type === 'Identifier') return variable(program, declaration.name)
    return plainObject(declaration)
  }
  return undefined
}

function variable(program: Program, name: string): ObjectExpression | undefined {
  for (const statement of program.body) {
    if (statement.type !== 'VariableDeclaration') continue
    for (const { id, init } of statement.declarations)
      if (id.type === 'Identifier' && id.name === name && init) return plainObject(init)
  }
  return undefined
}

/** Without `satisfies` and `as` around it, and out of `preview.meta({…})`. */
function plainObject(node: Node): ObjectExpression | undefined {
  if (node.type === 'ObjectExpression') return node
  if (node.type === 'TSSatisfiesExpression' || node.type === 'TSAsExpression') return plainObject(node.expression)
  if (node.type !== 'CallExpression') return undefined
  const [first] = node.arguments
  const isMeta = dottedName(node.callee)?.endsWith('.meta') ?? false
  return isMeta && first && isExpression(first) ? plainObject(first) : undefined
}

const isExpression = (node: Node): node is Expression => node.type !== 'SpreadElement'
