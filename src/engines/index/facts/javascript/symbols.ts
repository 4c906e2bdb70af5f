import type { Class, Node, VariableDeclarator } from 'oxc-parser'
import type { CodeSymbol } from '../../types.ts'
import type { Lines } from '../lines.ts'
import { bindingNames, keyName } from './binding-names.ts'
import type { Visitor } from './visit.ts'

export interface Symbols extends Visitor {
  /** With the names inside the file that are exported. */
  all(locals: ReadonlySet<string>): CodeSymbol[]
}

interface Open {
  readonly node: Node
  readonly name: string
}

/** Gathers what a file names, with exact lines: from the first word of a declaration, decorators included, to its end. */
export function symbolsVisitor(lines: Lines): Symbols {
  const found: CodeSymbol[] = []
  const open: Open[] = []
  let functions = 0
  /** The statement that a declaration is all of, so that its `export` and `const` belong to it. */
  let around: Node | undefined

  return {
    all: locals =>
      found.map(symbol => ({
        ...symbol,
        exported: symbol.exported || (symbol.within.length === 0 && locals.has(symbol.name)),
      })),
    enter(node, parent) {
      if (isWrapper(node)) around = isWrapper(parent) ? around : node
      else if (parent && !isWrapper(parent)) around = undefined
      for (const [kind, name] of named(node, parent)) add(node, kind, name)
      if (isFunction(node)) functions++
    },
    leave(node) {
      if (isFunction(node)) functions--
      while (open.at(-1)?.node === node) open.pop()
    },
  }

  function add(node: Node, kind: CodeSymbol['kind'], name: string): void {
    const whole = around ?? node
    const { start } = firstDecorator(node) ?? whole
    found.push({
      name,
      kind,
      from: lines.of(Math.min(start, whole.start)),
      to: lines.of(Math.max(whole.end - 1, whole.start)),
      within: open.flatMap(({ node: outer, name: outerName }) => (outer === node ? [] : outerName)),
      exported: whole.type.startsWith('Export'),
    })
    open.push({ node, name })
  }

  function named(node: Node, parent: Node | undefined): readonly (readonly [CodeSymbol['kind'], string])[] {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        return [['function', node.id?.name ?? 'default']]
      case 'ClassDeclaration':
        return [['class', node.id?.name ?? 'default']]
      case 'TSInterfaceDeclaration':
        return [['interface', node.id.name]]
      case 'TSTypeAliasDeclaration':
        return [['type', node.id.name]]
      case 'TSEnumDeclaration':
        return [['enum', node.id.name]]
      case 'TSModuleDeclaration':
        return [['module', moduleName(node.id)]]
      case 'VariableDeclarator':
        return variables(node)
      case 'MethodDefinition':
      case 'TSAbstractMethodDefinition':
      case 'TSMethodSignature':
        return one('method', keyName(node.key, node.computed))
      case 'PropertyDefinition':
        return node.value && isFunction(node.value) ? one('method', keyName(node.key, node.computed)) : []
      case 'Property':
        return functions === 0 && open.length > 0 && isFunction(node.value) && parent?.type === 'ObjectExpression'
          ? one('method', keyName(node.key, node.computed))
          : []
      case 'ExportDefaultDeclaration': {
        const { type } = node.declaration
        return /Declaration$|^TSDeclareFunction$|^Identifier$/.test(type)
          ? []
          : [[/Function/.test(type) ? 'function' : /Class/.test(type) ? 'class' : 'variable', 'default']]
      }
      case 'AssignmentExpression':
        return functions === 0 ? assigned(node.left, node.right) : []
      default:
        return []
    }
  }

  function variables({ id, init }: VariableDeclarator): readonly (readonly [CodeSymbol['kind'], string])[] {
    const kind = init && isFunction(init) ? 'function' : init && isClass(init) ? 'class' : 'variable'
    if (functions > 0 && kind === 'variable') return []
    return bindingNames(id).map(name => [kind, name] as const)
  }
}

const one = (kind: CodeSymbol['kind'], name: string | undefined): readonly (readonly [CodeSymbol['kind'], string])[] =>
  name === undefined ? [] : [[kind, name]]

/** `exports.name = function …`, `Name.prototype.method = …` */
function assigned(left: Node, right: Node): readonly (readonly [CodeSymbol['kind'], string])[] {
  if (left.type !== 'MemberExpression' || !(isFunction(right) || isClass(right))) return []
  const name = keyName(left.property, left.computed)
  if (name === undefined) return []
  const { object } = left
  const isPrototype = object.type === 'MemberExpression' && keyName(object.property, object.computed) === 'prototype'
  if (isPrototype) return [['method', name]]
  const kind = isClass(right) ? 'class' : 'function'
  if (name === 'exports' && object.type === 'Identifier' && object.name === 'module')
    return [[kind, ('id' in right && right.id && 'name' in right.id && String(right.id.name)) || 'default']]
  return [[kind, name]]
}

const isWrapper = (node: Node | undefined): boolean =>
  node?.type === 'ExportNamedDeclaration' ||
  node?.type === 'ExportDefaultDeclaration' ||
  (node?.type === 'VariableDeclaration' && node.declarations.length === 1)

const isFunction = (node: Node): boolean =>
  node.type === 'FunctionDeclaration' || node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression'

const isClass = (node: Node): node is Class => node.type === 'ClassExpression' || node.type === 'ClassDeclaration'

const firstDecorator = (node: Node): Node | undefined => {
  const list: unknown = Reflect.get(node, 'decorators')
  return Array.isArray(list) ? list[0] : undefined
}

function moduleName(id: Node): string {
  if (id.type === 'Identifier') return id.name
  if (id.type === 'Literal') return String(id.value)
  if (id.type === 'TSQualifiedName') return `${moduleName(id.left)}.${id.right.name}`
  return 'global'
}
