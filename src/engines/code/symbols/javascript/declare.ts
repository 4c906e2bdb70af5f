import type { Node, Program } from 'oxc-parser'
import { keyName, requiredBy } from './names.ts'
import type { Value } from '../file-code.ts'
import { bodyOf, declareAssigned, declareVariable, factsOfValue } from './declare-variable.ts'
import { declareClass } from './declare-members.ts'
import { declareAlias, declareInterface } from './declare-types.ts'
import { bindPattern, declareFunction, functionFacts } from './declare-function.ts'
import { addImport, addSymbol, type Place, type Reading } from './reading.ts'
import { childrenOf, functionScope, isFunction, lazily, newScope, type Scope } from './scope.ts'
import { testTitle } from './test-title.ts'
import { namedType, typeOf, valueOf } from './value-of.ts'

/** Finds the scopes, names and symbols of a file; what they mean is asked when all of them are known. */
export function declare(reading: Reading, program: Program): Scope {
  const root = newScope(undefined, true, null)
  reading.scopeOf.set(program, root)
  for (const statement of program.body) declareIn(statement, { scope: root, parent: -1, inFunction: false })
  return root

  function declareIn(node: Node, at: Place): void {
    const { scope, parent, inFunction, around } = at
    const whole = around ?? node
    const exported = around?.type.startsWith('Export') ?? false
    const below = (inner: Node, more: Partial<Place> = {}): void =>
      declareIn(inner, { scope, parent, inFunction, ...more })
    switch (node.type) {
      case 'ImportDeclaration':
        for (const each of node.specifiers) {
          const named = 'imported' in each ? each.imported : undefined
          const kind = each.type === 'ImportDefaultSpecifier' ? 'default' : '*'
          const name = named === undefined ? kind : named.type === 'Literal' ? named.value : named.name
          const value = addImport(reading, each, node.source.value, name, each.local.name)
          scope.values.set(each.local.name, () => value)
          scope.types.set(each.local.name, () => value)
        }
        if (node.specifiers.length === 0) addImport(reading, node, node.source.value, '*', '')
        return
      case 'TSImportEqualsDeclaration': {
        const { moduleReference: from, id } = node
        const value =
          from.type === 'TSExternalModuleReference'
            ? addImport(reading, node, from.expression.value, '=', id.name)
            : undefined
        const binding = lazily(
          () => value ?? (from.type === 'TSExternalModuleReference' ? undefined : namedType(from, scope)),
        )
        scope.values.set(id.name, binding)
        return void scope.types.set(id.name, binding)
      }
      case 'ExportNamedDeclaration':
        if (node.declaration) below(node.declaration, { around: node })
        return
      case 'ExportDefaultDeclaration': {
        const { declaration } = node
        if (/Declaration$|^TSDeclareFunction$/.test(declaration.type)) return below(declaration, { around: node })
        if (declaration.type === 'Identifier') return
        const number = addSymbol(reading, {
          name: 'default',
          kind: isFunction(declaration) ? 'function' : declaration.type === 'ClassExpression' ? 'class' : 'variable',
          parent,
          exported: true,
          whole: node,
          bodyAt: bodyOf(declaration),
          later: () => factsOfValue(reading, declaration, scope),
        })
        reading.symbolOf.set(declaration, number)
        if (declaration.type !== 'ClassExpression' && !isFunction(declaration)) reading.symbolOf.set(node, number)
        return below(declaration, { parent: number })
      }
      case 'VariableDeclaration': {
        const target = node.kind === 'var' ? functionScope(scope) : scope
        const own = node.declarations.length === 1 ? (around ?? node) : undefined
        for (const each of node.declarations) declareVariable(reading, each, at, target, own, declareIn)
        return
      }
      case 'FunctionDeclaration':
      case 'TSDeclareFunction': {
        const name = node.id?.name ?? 'default'
        const before = reading.drafts.findLastIndex(each => each.name === name && each.parent === parent)
        const isOverload = reading.overloads.has(before)
        const number = isOverload
          ? before
          : addSymbol(reading, { name, kind: 'function', parent, exported, whole, bodyAt: node.body?.start })
        const draft = reading.drafts[number]
        if (draft) {
          draft.to = Math.max(draft.to, reading.lines.of(Math.max(whole.end - 1, 0)))
          if (!isOverload) draft.later = () => functionFacts(reading, node, scope)
        }
        if (node.body) reading.overloads.delete(number)
        else reading.overloads.add(number)
        reading.symbolOf.set(node, number)
        const value: Value = ['symbol', number]
        if (node.id) scope.values.set(node.id.name, () => value)
        return declareFunction(reading, node, { ...at, parent: number }, declareIn)
      }
      case 'ClassDeclaration':
      case 'ClassExpression': {
        const known = reading.symbolOf.get(node)
        if (known === undefined && node.type === 'ClassExpression')
          return declareClass(reading, node, -1, at, declareIn)
        const name = node.id?.name ?? 'default'
        const number =
          known ?? addSymbol(reading, { name, kind: 'class', parent, exported, whole, bodyAt: node.body.start })
        reading.symbolOf.set(node, number)
        const value: Value = ['symbol', number]
        if (node.id && known === undefined) {
          scope.values.set(name, () => value)
          scope.types.set(name, () => value)
        }
        return declareClass(reading, node, number, at, declareIn)
      }
      case 'TSInterfaceDeclaration':
        return declareInterface(reading, node, { ...at, around: whole }, exported)
      case 'TSTypeAliasDeclaration':
        return declareAlias(reading, node, { ...at, around: whole }, exported)
      case 'TSEnumDeclaration': {
        const number = addSymbol(reading, {
          name: node.id.name,
          kind: 'enum',
          parent,
          exported,
          whole,
          bodyAt: node.body.start,
        })
        reading.symbolOf.set(node, number)
        scope.values.set(node.id.name, () => ['symbol', number])
        return void scope.types.set(node.id.name, () => ['symbol', number])
      }
      case 'TSModuleDeclaration': {
        if (!node.body) return
        const name = reading.text.slice(node.id.start, node.id.end).replaceAll(/^['"]|['"]$/g, '')
        const number = addSymbol(reading, { name, kind: 'module', parent, exported, whole, bodyAt: node.body.start })
        const inside = newScope(scope, true)
        reading.scopeOf.set(node.body, inside)
        reading.symbolOf.set(node, number)
        // A namespace adds to the function or class of its name; that is what the name stands for then.
        if (!scope.values.has(name)) scope.values.set(name, () => ['symbol', number])
        if (!scope.types.has(name)) scope.types.set(name, () => ['symbol', number])
        for (const each of node.body.body) declareIn(each, { scope: inside, parent: number, inFunction: false })
        return
      }
      case 'AssignmentExpression':
        return declareAssigned(reading, node, at, declareIn)
      case 'CallExpression': {
        const { callee } = node
        const handed = lazily(() => valueOf(reading, callee, scope))
        const types = node.typeArguments?.params ?? []
        for (const [argument, each] of node.arguments.entries())
          if (isFunction(each)) {
            const told = () =>
              toldBy(
                each.params.length,
                types.map(type => typeOf(reading, type, scope)),
              )
            reading.handedTo.set(each, { callee: handed, argument, told })
          }
        const required = requiredBy(node)
        if (required !== undefined) addRequired(node, required, '=')
        const title = reading.isTest ? testTitle(node) : undefined
        if (title === undefined) break
        const number = addSymbol(reading, {
          name: title,
          kind: 'test',
          parent,
          whole: node,
          bodyAt: node.arguments[1]?.start,
        })
        reading.symbolOf.set(node, number)
        for (const child of childrenOf(node)) below(child, { parent: number, inFunction: true })
        return
      }
      case 'NewExpression': {
        const { callee } = node
        const handed = lazily(() => {
          const made = valueOf(reading, callee, scope)
          return made && ['member', ['instance', made], 'constructor']
        })
        for (const [argument, each] of node.arguments.entries())
          if (isFunction(each)) reading.handedTo.set(each, { callee: handed, argument })
        break
      }
      case 'ImportExpression':
        if (node.source.type === 'Literal') addRequired(node, String(node.source.value), '*')
        break
      case 'TSImportType':
        addRequired(node, node.source.value, '*')
        break
      case 'Property': {
        const name = keyName(node.key, node.computed)
        const { value } = node
        if (isFunction(value) && name === undefined && node.method && at.self) {
          below(node.key)
          return declareFunction(reading, value, at, declareIn, at.self)
        }
        if (inFunction || parent < 0 || name === undefined || !isFunction(value)) break
        const number = addSymbol(reading, {
          name,
          kind: 'method',
          parent,
          whole: node,
          bodyAt: value.body?.start,
          later: () => functionFacts(reading, value, scope),
        })
        reading.symbolOf.set(value, number)
        return declareFunction(reading, value, { ...at, parent: number }, declareIn, at.self)
      }
      case 'ObjectExpression': {
        const self = reading.selfOf.get(node)
        for (const each of node.properties) below(each, { self })
        return
      }
      case 'CatchClause': {
        const inside = newScope(scope)
        reading.scopeOf.set(node, inside)
        if (node.param) bindPattern(reading, node.param, () => undefined, inside)
        return declareIn(node.body, { scope: inside, parent, inFunction })
      }
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'BlockStatement':
      case 'StaticBlock':
      case 'SwitchStatement': {
        const inside = newScope(scope)
        reading.scopeOf.set(node, inside)
        if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration') {
          const { left, right } = node
          for (const { id } of left.declarations)
            bindPattern(
              reading,
              id,
              lazily(() => elementOf(valueOf(reading, right, scope))),
              inside,
            )
          below(right)
          return below(node.body, { scope: inside })
        }
        for (const child of childrenOf(node)) below(child, { scope: inside })
        return
      }
      default:
        if (isFunction(node)) return declareFunction(reading, node, at, declareIn)
    }
    for (const child of childrenOf(node)) below(child)
  }

  function addRequired(node: Node, module: string, name: string): void {
    addImport(reading, node, module, name, '')
    reading.importOf.set(node, reading.imports.length - 1)
  }
}

/** `dual<A, B>(2, (self, that) => …)`: the last of the types that are functions of as many parameters. */
const toldBy = (count: number, types: readonly (Value | undefined)[]): Value | undefined =>
  types.findLast(each => each?.[0] === 'function' && each.length === count + 2)

const elementOf = (value: Value | undefined): Value | undefined => value && ['element', value]
