import { memberName } from './binding-names.ts'
import { isMemberExpression, isName, type Syntax } from './syntax.ts'

/** What `require('…')` asks for, also inside a wrapper that compilers put around it. */
export function requiredBy(node: Syntax): string | undefined {
  if (node.type !== 'CallExpression') return undefined
  const { callee } = node
  const isRequire = isName(callee) && callee.name === 'require'
  if (!isRequire && !isNamed(callee, WRAPPERS)) return undefined
  const first = node.arguments[0]
  if (!first) return undefined
  if (!isRequire) return requiredBy(first)
  return first.type === 'StringLiteral' ? first.value : undefined
}

const WRAPPERS = /^(__importStar|__importDefault|_interopRequire\w*|__toESM)$/

/** Also where the function is a member, such as `tslib_1.__exportStar`. */
export function isNamed(callee: Syntax, name: RegExp): boolean {
  if (isName(callee)) return name.test(callee.name)
  if (isMemberExpression(callee)) return name.test(memberName(callee) ?? '')
  return callee.type === 'SequenceExpression' && callee.expressions.some(one => isNamed(one, name))
}
