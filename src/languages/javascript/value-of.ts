import type { CallExpression, Expression, Node, TSTypeName } from 'oxc-parser'
import { keyName, requiredBy } from './names.ts'
import type { Declaration, Value } from '../file-model/file-model.ts'
import { childrenOf, isFunction, lookUp, selfIn, type FunctionNode, type Scope } from './scope.ts'
import { wantedArguments } from './wanted-arguments.ts'

const MOST_RETURNS = 4
const MOST_DEEP = 40

/** The meaning of an expression; undefined if the file does not tell. */
export function valueOf(node: Node, scope: Scope, deep = 0): Value | undefined {
  if (deep > MOST_DEEP) return undefined
  const of = (inner: Node): Value | undefined => valueOf(inner, scope, deep + 1)
  switch (node.type) {
    case 'Identifier': {
      const binding = lookUp(scope, 'values', node.name)
      return binding ? binding() : ['name', node.name]
    }
    case 'ThisExpression':
      return selfIn(scope)
    case 'Super': {
      const self = selfIn(scope)
      const ownClass = self?.[0] === 'instance' ? self[1] : self
      return ownClass?.[0] === 'symbol' ? ['super', ownClass[1]] : undefined
    }
    case 'MemberExpression': {
      const object = of(node.object)
      if (!object) return undefined
      const name = keyName(node.property, node.computed)
      return name === undefined ? ['element', object] : ['member', object, name]
    }
    case 'CallExpression': {
      const importNumber = scope.notes.importOf.get(node)
      if (importNumber !== undefined) return ['import', importNumber]
      const [first] = node.arguments
      if (first && requiredBy(node) !== undefined) return of(first)
      const callee = calleeOf(node, scope, deep + 1)
      return callee && ['result', callee]
    }
    case 'ImportExpression': {
      const importedNumber = scope.notes.importOf.get(node)
      return importedNumber === undefined ? undefined : ['import', importedNumber]
    }
    case 'NewExpression': {
      const callee = of(node.callee)
      return (
        callee &&
        instanceOf(
          callee,
          node.typeArguments?.params.map(each => typeOf(each, scope) ?? null),
        )
      )
    }
    case 'AwaitExpression': {
      const value = of(node.argument)
      return value && ['awaited', value]
    }
    case 'TSAsExpression':
    case 'TSTypeAssertion':
      return (!isConst(node.typeAnnotation) && typeOf(node.typeAnnotation, scope)) || of(node.expression)
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
    case 'ParenthesizedExpression':
    case 'ChainExpression':
      return of(node.expression)
    case 'ConditionalExpression':
      return either([of(node.consequent), of(node.alternate)])
    case 'LogicalExpression':
      return either([of(node.left), of(node.right)])
    case 'AssignmentExpression':
      return of(node.right)
    case 'SequenceExpression': {
      const last = node.expressions.at(-1)
      return last && of(last)
    }
    case 'ArrayExpression': {
      const parts = node.elements.slice(0, 3).flatMap(each => (each && each.type !== 'SpreadElement' ? [of(each)] : []))
      return ['list', either(parts) ?? null]
    }
    case 'ObjectExpression': {
      const members: Record<string, Value> = Object.create(null)
      for (const property of node.properties) {
        if (property.type !== 'Property') continue
        const name = keyName(property.key, property.computed)
        const value = of(property.value)
        if (name !== undefined && value) members[name] = value
      }
      return ['object', members]
    }
    case 'ClassExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression': {
      const symbol = scope.notes.symbolOf.get(node)
      if (symbol !== undefined) return ['symbol', symbol]
      return isFunction(node) ? ['function', resultOf(node, scope, deep + 1) ?? null] : undefined
    }
    default:
      return undefined
  }
}

/** The callee of a call, with its written type arguments. */
export function calleeOf({ callee, typeArguments }: CallExpression, scope: Scope, deep = 0): Value | undefined {
  const calleeValue = valueOf(callee, scope, deep)
  const writtenArguments = typeArguments ?? wantedArguments(callee)
  if (!calleeValue || !writtenArguments) return calleeValue
  return ['typed', calleeValue, ...writtenArguments.params.map(each => typeOf(each, scope) ?? null)]
}

/** The result of a function: its written type, else its visible return values. */
export function resultOf(node: FunctionNode, scope: Scope, deep = 0): Value | undefined {
  const inside = scope.notes.scopeOf.get(node) ?? scope
  if (node.returnType) return typeOf(node.returnType.typeAnnotation, inside)
  if (!node.body || deep > MOST_DEEP) return undefined
  if (node.body.type !== 'BlockStatement') return valueOf(node.body, inside, deep + 1)
  const returns: (readonly [Expression, Scope])[] = []
  collectReturns(node.body, scope.notes.scopeOf.get(node.body) ?? inside)
  return either(returns.map(([expression, at]) => valueOf(expression, at, deep + 1)))

  function collectReturns(at: Node, around: Scope): void {
    if (returns.length >= MOST_RETURNS) return
    if (at.type === 'ReturnStatement' && at.argument) returns.push([at.argument, around])
    if (!/Statement|SwitchCase|CatchClause/.test(at.type)) return
    for (const child of childrenOf(at)) collectReturns(child, scope.notes.scopeOf.get(child) ?? around)
  }
}

export function either(values: readonly (Value | undefined)[]): Value | undefined {
  const parts = definedValues(values)
  return parts.length > 1 ? ['either', ...parts] : parts[0]
}

export const definedValues = (values: readonly (Value | undefined)[] = []): readonly Value[] =>
  values.filter(each => each !== undefined)

/** The value of a symbol, as far as it can be found. */
export const lazyValue = (find: () => Value | undefined) => (): Partial<Declaration> => {
  const value = find()
  return value ? { value } : {}
}

export const instanceOf = (of: Value, args: readonly (Value | null)[] = []): Value => ['instance', of, ...args]

const isConst = (node: Node): boolean =>
  node.type === 'TSTypeReference' && node.typeName.type === 'Identifier' && node.typeName.name === 'const'

/** A value of a written type; undefined if the type tells nothing about calls. */
export function typeOf(node: Node, scope: Scope): Value | undefined {
  const of = (inner: Node): Value | undefined => typeOf(inner, scope)
  switch (node.type) {
    case 'TSTypeReference': {
      const typeValue = namedType(node.typeName, scope)
      return (
        typeValue &&
        instanceOf(
          typeValue,
          node.typeArguments?.params.map(each => of(each) ?? null),
        )
      )
    }
    case 'TSArrayType':
      return ['list', of(node.elementType) ?? null]
    case 'TSTupleType':
      return ['list', either(node.elementTypes.slice(0, 3).map(of)) ?? null]
    case 'TSUnionType':
    case 'TSIntersectionType':
      return either(node.types.map(of))
    case 'TSParenthesizedType':
    case 'TSTypeOperator':
      return of(node.typeAnnotation)
    case 'TSFunctionType':
      return functionType(node, scope)
    case 'TSConstructorType': {
      const instanceValue = of(node.returnType.typeAnnotation)
      return instanceValue?.[0] === 'instance' ? instanceValue[1] : undefined
    }
    case 'TSThisType':
      return selfIn(scope)
    case 'TSTypeLiteral': {
      const members: Record<string, Value> = Object.create(null)
      for (const member of node.members) {
        if (member.type !== 'TSPropertySignature' && member.type !== 'TSMethodSignature') continue
        const name = keyName(member.key, member.computed)
        const value: Value | undefined =
          member.type === 'TSMethodSignature'
            ? ['function', (member.returnType && of(member.returnType.typeAnnotation)) ?? null]
            : member.typeAnnotation
              ? of(member.typeAnnotation.typeAnnotation)
              : undefined
        if (name !== undefined && value) members[name] = value
      }
      const object: Value = ['object', members]
      const callable = callableIn(node.members, scope)
      return Object.keys(members).length > 0 || !callable ? either([object, callable]) : callable
    }
    case 'TSTypeQuery':
      return node.exprName.type === 'TSImportType' ? importTypeValue(node.exprName) : queryValue(node.exprName)
    case 'TSImportType': {
      const whole = importTypeValue(node)
      return whole && instanceOf(whole)
    }
    case 'TSIndexedAccessType': {
      const object = of(node.objectType)
      const { indexType } = node
      if (!object) return undefined
      return indexType.type === 'TSLiteralType' && indexType.literal.type === 'Literal'
        ? ['member', object, String(indexType.literal.value)]
        : ['element', object]
    }
    default:
      return undefined
  }

  function queryValue(name: TSTypeName): Value | undefined {
    if (name.type !== 'TSQualifiedName') return valueOf(name, scope)
    const leftValue = queryValue(name.left)
    return leftValue && ['member', leftValue, name.right.name]
  }

  function importTypeValue(from: Node & { type: 'TSImportType' }): Value | undefined {
    const number = scope.notes.importOf.get(from)
    if (number === undefined) return undefined
    const names: string[] = []
    for (let at: Node | null = from.qualifier; at;) {
      if (at.type === 'Identifier') {
        names.unshift(at.name)
        break
      }
      if (at.type !== 'TSQualifiedName') break
      names.unshift(at.right.name)
      at = at.left
    }
    return names.reduce<Value>((left, name) => ['member', left, name], ['import', number])
  }
}

/** A callable type as functions, one per call signature. */
export const callableIn = (members: readonly Node[], scope: Scope): Value | undefined =>
  either(members.map(each => (each.type === 'TSCallSignatureDeclaration' ? functionType(each, scope) : undefined)))

function functionType(
  { returnType, params }: Extract<Node, { type: 'TSFunctionType' | 'TSCallSignatureDeclaration' }>,
  scope: Scope,
): Value {
  const result = returnType && typeOf(returnType.typeAnnotation, scope)
  return ['function', result ?? null, ...params.map(each => annotationValue(each, scope) ?? null)]
}

/** A value of the type annotation of a name. */
export function annotationValue(node: Node, scope: Scope): Value | undefined {
  const annotation: unknown = Reflect.get(node, 'typeAnnotation')
  return isAnnotation(annotation) ? typeOf(annotation.typeAnnotation, scope) : undefined
}

/** The meaning of a type's name. */
export function namedType(name: TSTypeName | string, scope: Scope): Value | undefined {
  if (typeof name === 'string') {
    const binding = lookUp(scope, 'types', name)
    return binding ? binding() : ['name', name]
  }
  if (name.type === 'ThisExpression') return undefined
  if (name.type === 'Identifier') return namedType(name.name, scope)
  const leftValue = name.left.type === 'Identifier' ? spaceNamed(name.left.name, scope) : namedType(name.left, scope)
  return leftValue && ['member', leftValue, name.right.name]
}

/** The name left of a dot is a namespace. */
const spaceNamed = (name: string, scope: Scope): Value | undefined =>
  (lookUp(scope, 'values', name) ?? lookUp(scope, 'types', name))?.()

const isAnnotation = (value: unknown): value is { readonly typeAnnotation: Node } =>
  typeof value === 'object' && value !== null && 'typeAnnotation' in value
