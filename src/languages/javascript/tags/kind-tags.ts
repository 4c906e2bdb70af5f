import type { CallExpression, Node, Program } from 'oxc-parser'
import { dottedName, tableOf } from '../names.ts'
import type { Watcher } from '../reading.ts'
import { originOf, type Imported } from './imported.ts'
import { isStory } from './story.ts'

const TEST_MODULES =
  /^(vitest|@jest\/globals|node:test|test|mocha|bun:test|@playwright\/test|ava|tap|tape|uvu|qunit|jasmine|@japa\/runner|@std\/testing.*|zora)$/
const TEST_NAMES =
  /^(describe|it|test|suite|context|specify|fdescribe|fit|xdescribe|xit|Deno\.test|QUnit\.(test|module))(\.|$)/
const STYLE_MODULES =
  /^(styled-components|@emotion\/(styled|css|react)|@linaria\/(core|react|atomic)|linaria|goober|@vanilla-extract\/css|@stitches\/react|@pandacss\/.*|styled-jsx\/css|@stylexjs\/stylex|aphrodite)$/
const [NATIVE, STORYBOOK] = ['react-native', '@storybook/']

interface KindTags extends Watcher {
  readonly kinds: ReadonlySet<string>
}

/** Finds the purpose of a file: test, story, style. */
export function kindTags(program: Program, uses: Imported, path: string): KindTags {
  const kinds = new Set<string>()
  if (isStory(program, uses, path)) kinds.add('story')
  // Most files have no such import, but many calls.
  const modules = [...uses.modules]
  const mayBeStyle = modules.some(module => STYLE_MODULES.test(module) || module === NATIVE)
  const mayBeStory = originOf('storiesOf', uses)?.module.startsWith(STORYBOOK) ?? false
  return {
    kinds: kinds,
    call(node, _at, name) {
      if (!kinds.has('test') && isTest(node, name, uses)) kinds.add('test')
      else if (mayBeStory && name === 'storiesOf') kinds.add('story')
      else if (mayBeStyle && isStyle(node.callee, uses)) kinds.add('style')
    },
    tagged(node) {
      if (mayBeStyle && isStyle(node.tag, uses)) kinds.add('style')
    },
  }
}

/** A framework's function, or a global of that name with a title and a function as arguments. */
function isTest({ callee, arguments: args }: CallExpression, own: string | undefined, uses: Imported): boolean {
  const name = own ?? dottedName(tableOf(callee))
  if (name === undefined) return false
  const origin = originOf(name, uses)
  if (origin)
    return (
      TEST_MODULES.test(origin.module) &&
      (origin.name === 'default' || origin.name === '*' || TEST_NAMES.test(origin.name))
    )
  if (!TEST_NAMES.test(name)) return false
  const [first, second] = args
  const isTitled = first?.type === 'TemplateLiteral' || (first?.type === 'Literal' && typeof first.value === 'string')
  return isTitled && second !== undefined && /Function|Object|Identifier|Call/.test(second.type)
}

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
  return STYLE_MODULES.test(origin.module) || (origin.module === NATIVE && /^StyleSheet\.create$/.test(name))
}
