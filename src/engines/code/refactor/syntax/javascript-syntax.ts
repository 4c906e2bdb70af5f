import type { Class, Node, ParseResult } from 'oxc-parser'
import { keyName } from '../../symbols/javascript/names.ts'
import { childrenOf, parseModule, walk } from './parse-module.ts'
import type { Span, Stretch, SyntaxFile } from './syntax-file.ts'

/** Where the symbols of a script or module stand. */
export function javascriptSyntax(path: string, text: string): SyntaxFile {
  const result = parseModule(path, text)
  const [error] = result.errors
  return {
    spans: joined(spansIn(result)).map(span => ({ ...span, headAt: afterBlanks(text, span.headAt) })),
    comments: result.comments.map(({ start, end }) => ({ start, end })),
    literals: literalsIn(result, text),
    ...(error && { error: { at: error.labels[0]?.start ?? 0, message: error.message } }),
  }
}

const afterBlanks = (text: string, at: number): number => at + (/^\s*/.exec(text.slice(at, at + 500))?.[0].length ?? 0)

function literalsIn({ program }: ParseResult, text: string): readonly Stretch[] {
  const found: Stretch[] = []
  walk(program, ({ type, start, end }) => {
    if (type === 'TemplateElement' && text.slice(start, end).includes('\n')) found.push({ start, end })
  })
  return found
}

interface At {
  readonly names: readonly string[]
  readonly inFunction: boolean
  /** The statement that a declaration is all of. */
  readonly whole?: Node | undefined
}

interface Found extends Span {
  /** A head that a function with a body follows. */
  readonly isHead: boolean
}

function spansIn({ program }: ParseResult): readonly Found[] {
  const spans: Found[] = []
  visit(program, { names: [], inFunction: false })
  return spans

  function visit(node: Node, at: At): void {
    switch (node.type) {
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
        if (node.declaration) visit(node.declaration, { ...at, whole: node })
        return
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        return declare(node, 'function', node.id, node.body, at)
      case 'ClassDeclaration':
        return declare(node, 'class', node.id, node.body, at)
      case 'TSInterfaceDeclaration':
        return declare(node, 'interface', node.id, node.body, at)
      case 'TSTypeAliasDeclaration':
        return declare(node, 'type', node.id, node.typeAnnotation, at)
      case 'TSEnumDeclaration':
        return declare(node, 'enum', node.id, node.body, at)
      case 'TSModuleDeclaration':
        return declare(node, 'module', node.id, node.body, at)
      case 'VariableDeclaration':
        for (const each of node.declarations) {
          const { id, init } = each
          const value = init && valueBody(init)
          const kind = value ? (value.type === 'ClassBody' ? 'class' : 'function') : 'variable'
          if (id.type !== 'Identifier' || (at.inFunction && kind === 'variable')) {
            if (init) inside(init, at)
            continue
          }
          const isAlone = node.declarations.length === 1
          const body = value ?? init ?? undefined
          add(isAlone ? (at.whole ?? node) : each, kind, id.name, id.start, body, at, !isAlone)
          if (init) inside(init, named(at, id.name, kind === 'function'))
        }
        return
      case 'MethodDefinition':
      case 'TSAbstractMethodDefinition':
        return member(node, 'method', node.key, node.computed, node.value.body ?? undefined, at)
      case 'PropertyDefinition':
      case 'AccessorProperty':
        return member(node, isCode(node.value) ? 'method' : 'property', node.key, node.computed, node.value, at)
      case 'TSPropertySignature':
        return member(node, 'property', node.key, node.computed, node.typeAnnotation?.typeAnnotation, at)
      case 'TSMethodSignature':
        return member(node, 'method', node.key, node.computed, undefined, at)
      case 'Property':
        if (at.inFunction || at.names.length === 0) return inside(node, at)
        return member(node, isCode(node.value) ? 'method' : 'property', node.key, node.computed, node.value, at)
      case 'TSEnumMember':
        return member(node, 'property', node.id, node.computed, node.initializer, at)
      default:
        inside(node, { ...at, inFunction: at.inFunction || isFunction(node) })
    }
  }

  function inside(node: Node, at: At): void {
    for (const child of childrenOf(node)) visit(child, { names: at.names, inFunction: at.inFunction })
  }

  function declare(node: Node, kind: string, id: Node | null, body: Node | null, at: At): void {
    const name = id === null ? 'default' : dotted(id)
    const whole = at.whole ?? node
    if (name !== undefined) add(whole, kind, name, id?.start ?? node.start, body ?? undefined, at, false)
    inside(node, named(at, name ?? 'default', kind === 'function'))
  }

  function member(
    node: Node,
    kind: string,
    key: Node,
    computed: boolean,
    value: Node | null | undefined,
    at: At,
  ): void {
    const name = keyName(key, computed)
    if (name === undefined) return inside(node, at)
    const body = value ? (valueBody(value) ?? value) : undefined
    add(node, kind, name, key.start, body, at, false)
    inside(node, named(at, name, kind === 'method'))
  }

  function add(
    whole: Node,
    kind: string,
    name: string,
    nameAt: number,
    body: Node | undefined,
    at: At,
    shares: boolean,
  ): void {
    const own = 'declaration' in whole && whole.declaration ? whole.declaration : whole
    const start = Math.min(whole.start, ...decoratorsOf(whole), ...decoratorsOf(own))
    spans.push({
      name: [...at.names, name].join('.'),
      kind,
      start,
      end: whole.end,
      nameAt,
      headAt: Math.max(own.start, ...decoratorsOf(own, 'end')),
      ...(body && { body: { start: body.start, end: body.end } }),
      ...(shares && { shares: true as const }),
      isHead: !body && (kind === 'function' || kind === 'method'),
    })
  }
}

const named = ({ names, inFunction }: At, name: string, isFunctionBody: boolean): At => ({
  names: [...names, name],
  inFunction: inFunction || isFunctionBody,
})

/** What a function or class that is a value holds. */
function valueBody(node: Node): Node | undefined {
  if (node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression') return node.body ?? undefined
  return node.type === 'ClassExpression' ? (node satisfies Class).body : undefined
}

const isCode = (node: Node | null): boolean => node !== null && valueBody(node) !== undefined
const isFunction = ({ type }: Node): boolean => /Function/.test(type) || type === 'StaticBlock'

function dotted(id: Node): string | undefined {
  if (id.type === 'Identifier') return id.name
  if (id.type === 'TSQualifiedName') return `${dotted(id.left)}.${id.right.name}`
  return id.type === 'Literal' && typeof id.value === 'string' ? id.value : undefined
}

function decoratorsOf(node: Node, side: 'start' | 'end' = 'start'): readonly number[] {
  const list: unknown = Reflect.get(node, 'decorators')
  return Array.isArray(list) ? list.map((each: Stretch) => each[side]) : []
}

/** Heads and the function that they are of are one symbol. */
function joined(spans: readonly Found[]): readonly Span[] {
  const found: Span[] = []
  let heads: Found[] = []
  for (const { isHead, ...span } of spans) {
    if (heads.length > 0 && heads[0]?.name !== span.name) flush()
    if (isHead) {
      heads.push({ isHead, ...span })
      continue
    }
    const [first] = heads
    found.push(first ? { ...span, start: first.start, heads: heads.map(stretch) } : span)
    heads = []
  }
  flush()
  return found

  function flush(): void {
    const [first] = heads
    const last = heads.at(-1)
    if (first && last) {
      const { isHead: _, ...span } = last
      found.push({ ...span, start: first.start, ...(heads.length > 1 && { heads: heads.slice(0, -1).map(stretch) }) })
    }
    heads = []
  }
}

const stretch = ({ start, end }: Stretch): Stretch => ({ start, end })
