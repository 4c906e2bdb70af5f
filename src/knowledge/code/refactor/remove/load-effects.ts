import type { Node } from 'oxc-parser'
import { isScripted } from '../../../../languages/registry.ts'
import { dottedName } from '../../../../languages/javascript/names.ts'
import { childrenOf } from '../../../../languages/javascript/scope.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import { plainName, type Found, type FoundSymbol } from '../find-symbol.ts'
import { moduleFile } from '../move/module-file.ts'
import { undecidedAt, type Occurrence } from '../occurrences/occurrence.ts'
import { hasMacros, type RefactorParts } from '../refactor-parts.ts'
import { writtenEffects } from './written-effects.ts'

/** What a declaration does besides declaring, which ends with it: calls when it is loaded or constructed. */
export async function loadEffects(parts: RefactorParts, symbols: Found): Promise<readonly Occurrence[]> {
  const all: Occurrence[] = []
  for (const each of symbols) {
    const { path } = each.source
    const stretches = isScripted(path) ? await scriptEffects(each) : await writtenEffects(parts, each)
    all.push(...stretches.map(at => undecidedAt({ path, ...at, kind: 'declaration' }, WHY)))
    const name = plainName(each.span.name)
    const at = { path, start: each.span.nameAt, end: each.span.nameAt + name.length, kind: 'declaration' } as const
    if (hasMacros(path) && each.source.text[each.span.nameAt] === '~')
      all.push(undecidedAt(at, 'the end of an object calls it without its name being written'))
  }
  return all
}

const WHY = 'it runs with the declaration, and may have an effect'

async function scriptEffects({ source, span }: FoundSymbol): Promise<readonly Stretch[]> {
  const { program, imports, own } = await moduleFile(source)
  const names = new Set([...imports.map(({ local }) => local), ...own.map(({ name }) => name)])
  const effects: Stretch[] = []
  enter(program)
  return effects

  /** Finds the declaration. */
  function enter(node: Node): void {
    if (node.start >= span.start && node.end <= span.end && node.type !== 'Program') visit(node)
    else if (node.start < span.end && node.end > span.start) for (const child of childrenOf(node)) enter(child)
  }

  function visit(node: Node): void {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return
      case 'ClassDeclaration':
      case 'ClassExpression':
        if (node.superClass) visit(node.superClass)
        for (const member of node.body.body) visitMember(member)
        return
      case 'MethodDefinition':
        if (node.computed) visit(node.key)
        return
      case 'ExpressionStatement':
        // `exports.a = …` is the declaration itself.
        visit(node.expression.type === 'AssignmentExpression' ? node.expression.right : node.expression)
        return
      case 'CallExpression':
      case 'NewExpression':
        if (!isPure(node)) effects.push(node)
        else for (const part of node.arguments) visitArgument(part)
        return
      case 'TaggedTemplateExpression':
        if (dottedName(node.tag) !== 'String.raw') effects.push(node)
        return
      case 'AssignmentExpression':
      case 'UpdateExpression':
      case 'AwaitExpression':
      case 'ImportExpression':
        effects.push(node)
        return
      case 'UnaryExpression':
        if (node.operator === 'delete') effects.push(node)
        else visit(node.argument)
        return
      default:
        if (!node.type.startsWith('TS') || RUNS.test(node.type)) for (const child of childrenOf(node)) visit(child)
    }
  }

  /** Of an unused class, objects are never made. */
  function visitMember(member: Node): void {
    if ('decorators' in member) effects.push(...(member.decorators ?? []))
    if ('computed' in member && member.computed && 'key' in member) visit(member.key)
    if (member.type === 'StaticBlock') for (const statement of member.body) visit(statement)
    if ('static' in member && member.static && 'value' in member && member.value) visit(member.value)
  }

  function visitArgument(part: Node): void {
    if (part.type === 'ArrowFunctionExpression' || part.type === 'FunctionExpression') {
      if (part.body) visit(part.body)
    } else visit(part)
  }

  function isPure({ callee, start, type }: Extract<Node, { type: 'CallExpression' | 'NewExpression' }>): boolean {
    if (/\/\*\s*[#@]__PURE__\s*\*\/\s*$/.test(source.text.slice(Math.max(0, start - 40), start))) return true
    const name = dottedName(callee) ?? ''
    if (name !== '')
      return !names.has(name.split('.')[0] ?? '') && (type === 'NewExpression' ? MADE : CALLED).test(name)
    return callee.type === 'MemberExpression' && isLiteral(callee.object) && !callee.computed
  }
}

/** Nodes of TypeScript that run. */
const RUNS = /^TS(?:As|Satisfies|NonNull|TypeAssertion|Instantiation|Enum|Module)/
const MADE =
  /^(?:(?:Weak)?(?:Map|Set)|WeakRef|\w*Array|ArrayBuffer|Date|RegExp|\w*Error|URL(?:SearchParams)?|Text(?:En|De)coder|AbortController|Intl\.\w+|Object)$/
const CALLED =
  /^(?:Symbol(?:\.for)?|String|Number|Boolean|BigInt|RegExp|Date(?:\.now)?|parse(?:Int|Float)|(?:Math|Number|String)\.\w+|JSON\.(?:stringify|parse)|Array\.(?:from|of|isArray)|Object\.(?:keys|values|entries|fromEntries|create))$/

const isLiteral = ({ type }: Node): boolean =>
  type === 'Literal' || type === 'ArrayExpression' || type === 'TemplateLiteral'
