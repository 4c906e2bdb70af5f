import { keyName } from './binding-names.ts'
import { dottedName, originOf } from './callee.ts'
import type { Imported } from './imported.ts'
import {
  isMemberExpression,
  isName,
  type Call,
  type Literal,
  type Program,
  type Syntax,
  type Visitor,
} from './syntax.ts'

const TEST_MODULES =
  /^(vitest|@jest\/globals|node:test|test|mocha|bun:test|@playwright\/test|ava|tap|tape|uvu|qunit|jasmine|@japa\/runner|@std\/testing.*|zora)$/
const TEST_NAMES =
  /^(describe|it|test|suite|context|specify|fdescribe|fit|xdescribe|xit|Deno\.test|QUnit\.(test|module))(\.|$)/
const STYLE_MODULES =
  /^(styled-components|@emotion\/(styled|css|react)|@linaria\/(core|react|atomic)|linaria|goober|@vanilla-extract\/css|@stitches\/react|@pandacss\/.*|styled-jsx\/css|@stylexjs\/stylex|aphrodite)$/

export interface KindTags {
  readonly visitor: Visitor
  kinds(): ReadonlySet<string>
}

/** Finds what a file is there for: test, story, style. */
export function kindTags(program: Program, uses: Imported): KindTags {
  const found = new Set<string>()
  if (isStory(program, uses)) found.add('story')
  return {
    kinds: () => found,
    visitor: {
      CallExpression(node) {
        if (!found.has('test') && isTest(node, uses)) found.add('test')
        else if (isStoryCall(node, uses)) found.add('story')
        else if (isStyle(node.callee, uses)) found.add('style')
      },
      TaggedTemplateExpression(node) {
        if (isStyle(node.tag, uses)) found.add('style')
      },
    },
  }
}

/** A framework's function, or a global of that name that is handed a title and a function. */
function isTest({ callee, arguments: args }: Call, uses: Imported): boolean {
  const name = dottedName(tableOf(callee))
  if (name === undefined) return false
  const origin = originOf(name, uses)
  if (origin)
    return (
      TEST_MODULES.test(origin.module) &&
      (origin.name === 'default' || origin.name === '*' || TEST_NAMES.test(origin.name))
    )
  if (!TEST_NAMES.test(name)) return false
  const [first, second] = args
  const isTitled = first?.type === 'TemplateLiteral' || first?.type === 'StringLiteral'
  return isTitled && second !== undefined && /Function|Object|Identifier|Call/.test(second.type)
}

/** `test.each(table)('…', …)` */
const tableOf = (node: Syntax): Syntax =>
  node.type === 'CallExpression' ? node.callee : node.type === 'TaggedTemplateExpression' ? node.tag : node

function isStyle(callee: Syntax, uses: Imported): boolean {
  const inner = callee.type === 'CallExpression' ? callee.callee : callee
  const name =
    dottedName(inner) ??
    (isMemberExpression(inner) && inner.object.type === 'CallExpression' ? dottedName(inner.object.callee) : undefined)
  if (name === undefined) return false
  const origin = originOf(name, uses)
  if (!origin) return false
  return STYLE_MODULES.test(origin.module) || (origin.module === 'react-native' && /^StyleSheet\.create$/.test(name))
}

const isStoryCall = ({ callee }: Call, uses: Imported): boolean => {
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
    [...meta.properties].flatMap(property =>
      property.type === 'ObjectProperty' ? (keyName(property.key, property.computed) ?? []) : [],
    ),
  )
  if (!keys.has('component') && !keys.has('title')) return false
  const isStorybook = [...uses.modules].some(module => module.startsWith('@storybook/') || module === 'storybook')
  const hasStories = program.body.some(({ type }) => /^Export(Named|From)?Declaration$/.test(type))
  return isStorybook || (hasStories && keys.has('component'))
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
