import type { CodeSymbol } from '../../types.ts'
import type { Lines } from '../lines.ts'
import { bindingNames, keyName, memberName } from './binding-names.ts'
import {
  isClass,
  isFunction,
  isMemberExpression,
  isName,
  type Decorator,
  type Namespace,
  type Syntax,
  type Variables,
  type Visitor,
} from './syntax.ts'

export interface Symbols {
  readonly visitor: Visitor
  /** With the names inside the file that are exported. */
  all(locals: ReadonlySet<string>): CodeSymbol[]
}

type Kind = CodeSymbol['kind']

/** Gathers what a file names, with exact lines: from the first word of a declaration, decorators included, to its end. */
export function symbolsVisitor(text: string, lines: Lines): Symbols {
  const found: CodeSymbol[] = []
  /** Symbols that the walk is inside of, and functions likewise: both end where their text ends. */
  const open: { readonly node: Syntax; readonly end: number; readonly name: string }[] = []
  const functions: number[] = []
  /** The last export, whose declaration begins where it says so itself. */
  let exporting: { readonly whole: Syntax; readonly declaration: Syntax } | undefined
  let declaring: Variables | undefined
  /** The rest of `namespace A.B.C`, which is one symbol. */
  let dotted: Syntax | undefined

  const entered = (node: Syntax) => {
    if (isFunction(node)) functions.push(node.end)
  }
  return {
    all: locals =>
      found.map(symbol =>
        symbol.exported || symbol.within.length > 0 || !locals.has(symbol.name)
          ? symbol
          : { ...symbol, exported: true },
      ),
    visitor: {
      ExportDeclaration: node => void (exporting = { whole: node, declaration: node.declaration }),
      ExportDefaultDeclaration(node) {
        const { declaration } = node
        exporting = { whole: node, declaration }
        const { type } = declaration
        if (/Declaration$|^TSDeclareFunction$/.test(type) || isName(declaration)) return
        add(node, /Function/.test(type) ? 'function' : /Class/.test(type) ? 'class' : 'variable', 'default', node)
      },
      Function(node) {
        if (node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction')
          add(node, 'function', node.id?.name ?? 'default')
        entered(node)
      },
      ArrowFunctionExpression: entered,
      Class(node) {
        if (node.type === 'ClassDeclaration')
          add(node, 'class', node.id?.name ?? 'default', wholeOf(node), node.decorators)
      },
      TSInterfaceDeclaration(node) {
        add(node, 'interface', node.id.name)
        for (const member of node.body.body) signature(member)
      },
      TSTypeAliasDeclaration(node) {
        add(node, 'type', node.id.name)
        signatures(node.typeAnnotation)
      },
      TSEnumDeclaration: node => add(node, 'enum', node.id.name),
      TSNamespaceDeclaration(node) {
        if (dotted === node) dotted = node.body
        else add(node, 'module', namespaceName(node))
        if (dotted !== node.body) dotted = node.body
      },
      TSExternalModuleDeclaration: node => add(node, 'module', node.id.value),
      TSGlobalDeclaration: node => add(node, 'module', 'global'),
      VariableDeclaration: node => void (declaring = node),
      VariableDeclarator(node) {
        const { id, init } = node
        const kind = init && isFunction(init) ? 'function' : init && isClass(init) ? 'class' : 'variable'
        if (kind === 'variable' && isInFunction(node)) return
        const names = isName(id) ? [id.name] : bindingNames(id, text)
        if (names.length === 0) return
        const whole = isAlone(node) && declaring ? wholeOf(declaring) : node
        for (const name of names) add(node, kind, name, whole)
      },
      MethodDefinition(node) {
        const name = keyName(node.key, node.computed)
        if (name !== undefined) add(node, 'method', name, node, node.decorators)
      },
      PropertyDefinition(node) {
        if (!node.value || !isFunction(node.value)) return
        const name = keyName(node.key, node.computed)
        if (name !== undefined) add(node, 'method', name, node, node.decorators)
      },
      ObjectProperty(node) {
        if (isInFunction(node) || !isFunction(node.value)) return
        close(node)
        const name = open.length > 0 ? keyName(node.key, node.computed) : undefined
        if (name !== undefined) add(node, 'method', name)
      },
      AssignmentExpression(node) {
        const { left, right } = node
        if (!isMemberExpression(left) || isInFunction(node) || !(isFunction(right) || isClass(right))) return
        const [kind, name] = assigned(left, right)
        if (name !== undefined) add(node, kind, name)
      },
    },
  }

  function add(
    node: Syntax,
    kind: Kind,
    name: string,
    whole: Syntax | Variables = wholeOf(node),
    decorators: readonly Decorator[] = [],
  ): void {
    close(node)
    const start = Math.min(decorators[0]?.start ?? whole.start, whole.start)
    found.push({
      name,
      kind,
      from: lines.of(start),
      to: lines.of(Math.max(whole.end - 1, whole.start)),
      within: open.flatMap(({ node: outer, name: outerName }) => (outer === node ? [] : outerName)),
      exported: whole.type === 'ExportDeclaration' || whole.type === 'ExportDefaultDeclaration',
    })
    open.push({ node, end: node.end, name })
  }

  /** What stands before this is behind us. */
  function close(node: Syntax): void {
    while ((open.at(-1)?.end ?? Infinity) <= node.start) open.pop()
  }

  /** Its `export` belongs to a declaration. */
  function wholeOf(node: Syntax): Syntax {
    return exporting?.declaration === node ? exporting.whole : node
  }

  /** Its `const` belongs to a variable that is declared alone. */
  function isAlone({ start, end }: Syntax): boolean {
    return (
      declaring !== undefined && declaring.start <= start && declaring.end >= end && declaring.declarations.length === 1
    )
  }

  function isInFunction({ start }: Syntax): boolean {
    while ((functions.at(-1) ?? Infinity) <= start) functions.pop()
    return functions.length > 0
  }

  function signatures(type: Syntax): void {
    if (type.type === 'TSTypeLiteral') for (const member of type.members) signature(member)
    else if (type.type === 'TSIntersectionType' || type.type === 'TSUnionType')
      for (const each of type.types) signatures(each)
  }

  function signature(member: Syntax): void {
    if (member.type !== 'TSMethodSignature') return
    const name = keyName(member.key, member.computed)
    if (name !== undefined) add(member, 'method', name, member)
  }
}

/** `exports.name = function …`, `Name.prototype.method = …` */
function assigned(left: Syntax, right: Syntax): readonly [Kind, string | undefined] {
  const kind = isClass(right) ? 'class' : 'function'
  if (!isMemberExpression(left)) return [kind, undefined]
  const name = memberName(left)
  const { object } = left
  if (isMemberExpression(object) && memberName(object) === 'prototype') return ['method', name]
  if (name !== 'exports' || !isName(object) || object.name !== 'module') return [kind, name]
  return [kind, ('id' in right && right.id && isName(right.id) && right.id.name) || 'default']
}

const namespaceName = ({ id, body }: Namespace): string =>
  body.type === 'TSNamespaceDeclaration' ? `${id.name}.${namespaceName(body)}` : id.name
