import type { Node } from 'oxc-parser'
import { parse } from '../../../languages/javascript/parse.ts'
import { roleIn } from '../../../languages/javascript/parts.ts'
import { nodesAround } from '../../../languages/javascript/scope.ts'
import { stringKind, templateKind, type WrittenName } from './occurrence.ts'

type Kind = Omit<WrittenName, 'start'>

/** Occurrences of a name in a script or module; for a component also in its template. */
export function scriptOccurrences(
  path: string,
  text: string,
  name: string,
  places: readonly number[],
): readonly WrittenName[] {
  const { program, comments, text: script } = parse(path, text)
  const modules = new Map<string, string>()
  for (const each of program.body)
    if (each.type === 'ImportDeclaration')
      for (const { local } of each.specifiers) modules.set(local.name, each.source.value)
  return places.map(start => ({ start, ...kindAt(start) }))

  function kindAt(start: number): Kind {
    if (comments.some(each => each.start <= start && each.end > start)) return { kind: 'text' }
    const around = nodesAround(program, start)
    const [node, parent, above] = around.toReversed()
    const property = around.findLast(each => each.type === 'Property' && !each.computed && each.key.start === start)
    if (property?.type === 'Property' && property.shorthand) return { kind: 'shorthand', ...moduleAt(start) }
    if (property) return { kind: 'key', ...(around.some(isMock) ? { of: 'mock' } : moduleAt(start)) }
    if (node && parent && node.start === start && /member|label/.test(roleIn(parent, node)))
      return { kind: 'member', ...moduleAt(start) }
    if (node?.type === 'JSXText') return textKind(node, start)
    if (node?.type === 'TemplateElement' && parent?.type === 'TemplateLiteral')
      return textKind(betweenQuotes(text, node), start, above && calleeIn(above, parent))
    if (node?.type === 'Literal' && typeof node.value === 'string') return literalKind(node, parent, start)
    // A component is blank outside of its scripts.
    if (!script.startsWith(name, start)) return { kind: templateKind(text, start) }
    return { kind: 'name', ...moduleAt(start) }
  }

  function literalKind(node: Node, parent: Node | undefined, start: number): Kind {
    if (parent?.type === 'Property' && parent.key === node && !parent.computed) return { kind: 'key' }
    if (parent && /^(Import|ExportAll|ExportNamed)Declaration$/.test(parent.type)) return { kind: 'module' }
    return textKind({ start: node.start + 1, end: node.end - 1 }, start, parent && calleeIn(parent, node))
  }

  function textKind({ start, end }: Pick<Node, 'start' | 'end'>, at: number, callee?: string): Kind {
    const kind = stringKind(text.slice(start, end), name, at - start, callee)
    return { kind, ...(callee !== undefined && { of: callee }) }
  }

  /** The callee or table that a node passes a string to. */
  function calleeIn(node: Node, given: Node): string | undefined {
    if (node.type === 'MemberExpression') return node.computed && node.property === given ? '[]' : undefined
    if (!isCall(node) || node.callee === given) return undefined
    const callee = calleeText(node)
    // The title of a test does not name the code that it tests.
    const isTest = TESTS.test(callee) && node.arguments.slice(1).some(({ type }) => /Function/.test(type))
    return isTest ? 'console.title' : callee
  }

  function isMock(node: Node): boolean {
    return isCall(node) && /mock/i.test(calleeText(node))
  }

  function calleeText({ callee }: Call): string {
    return text.slice(callee.start, callee.end).replaceAll(/\s/g, '').slice(-80)
  }

  /** The module that the first name of a chain is imported from. */
  function moduleAt(start: number): { readonly of?: string } {
    const [, root = name] =
      /([\p{ID_Continue}$]+)(?:\??\.[\p{ID_Continue}$]+)*\??\.$/u.exec(text.slice(Math.max(0, start - 200), start)) ??
      []
    const module = modules.get(root)
    return module === undefined ? {} : { of: module }
  }
}

type Call = Extract<Node, { type: 'CallExpression' | 'NewExpression' }>

const isCall = (node: Node): node is Call => node.type === 'CallExpression' || node.type === 'NewExpression'

const TESTS = /^(?:describe|it|test|suite|context|bench)(?:\.\w+)*$/

/** A template element without its quotes, which the parser may include. */
function betweenQuotes(text: string, { start, end }: Node): Pick<Node, 'start' | 'end'> {
  const [open = ''] = /^[`}]/.exec(text.slice(start, end)) ?? []
  const [close = ''] = /(?:`|\$\{)$/.exec(text.slice(start + open.length, end)) ?? []
  return { start: start + open.length, end: end - close.length }
}
