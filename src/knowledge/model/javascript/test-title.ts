import type { Node } from 'oxc-parser'
import { dottedName, tableOf } from './names.ts'

const TEST =
  /^(it|test|specify|fit|xit|Deno\.test)(\.(only|skip|concurrent|sequential|fails|todo|each|for|serial|failing))*$/

/** The title where a call is a test of a test runner. */
export function testTitle(node: Extract<Node, { type: 'CallExpression' }>): string | undefined {
  const [title] = node.arguments
  const name = dottedName(tableOf(node.callee))
  if (name === undefined || !TEST.test(name) || node.arguments.length < 2) return undefined
  if (title?.type === 'Literal' && typeof title.value === 'string') return title.value
  return title?.type === 'TemplateLiteral' ? title.quasis.map(each => each.value.raw).join('${…}') : undefined
}
