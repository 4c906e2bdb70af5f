import type { Node } from 'web-tree-sitter'
import type {
  Access,
  Argument,
  Declaration,
  FileModel,
  Lookup,
  NamedText,
  Reference,
  Value,
} from '../../../languages/file-model/file-model.ts'
import { around } from '../../../languages/grammar/describe.ts'
import type { Expression, GrammarLanguage, Variable } from '../../../languages/grammar/grammar-language.ts'
import type { NodeRules } from './node-rules.ts'
import { dottedValue, eitherOf, expressionOf, UNKNOWN, type Place, type ValueReader } from './values.ts'
import type { ArgumentReader } from './written-types.ts'
import { openScope } from './names.ts'

/** Collects the calls and uses of a file, the values of its variables and the results of its functions. */
export function createReferences(language: GrammarLanguage, reader: ArgumentReader) {
  const references: Reference[] = []
  const lambdas = createLambdas(language, reader)
  const namedTexts: NamedText[] = []
  const lookups: Lookup[] = []
  /** Calls that belong to the call around them because of their lambda. */
  const calleeIds = new Set<number>()
  const results = new Map<number, { readonly value: Value; readonly isElement: boolean }[]>()
  return {
    references,
    /** The texts that may name functions, and the places that look up others. */
    namesIn: (): Pick<FileModel, 'namedTexts' | 'lookups'> => ({
      ...(namedTexts.length > 0 && { namedTexts }),
      ...(lookups.length > 0 && { lookups }),
    }),
    inside: lambdas.inside,
    /** Reads one node, outer before inner. */
    read(node: Node, rules: NodeRules, place: Place): void {
      for (const operator of rules.operators?.(node) ?? [])
        if (!operator.isReflected)
          for (const value of reader.operatorCalls(operator, place)) add('call', node, value, place, operator.count)
      const expression = rules.calls?.(node)
      if (expression?.is === 'call' || expression?.is === 'new') call(node, expression, place)
      for (const usage of rules.uses?.(node) ?? []) use(usage, place)
      const access = rules.accesses?.(node)
      if (access) use(node, place, access)
      const text = rules.namedTexts?.(node)
      if (text !== undefined) namedTexts.push({ text, by: place.by, ...lineOf(node) })
      if (rules.lookups?.(node)) lookups.push({ near: namesAround(node), ...lineOf(node) })
      const returnValue = rules.returned?.(node)
      if (returnValue) {
        const all = results.get(place.by) ?? []
        results.set(place.by, [
          ...all,
          { value: reader.valueOf(returnValue.value, place), isElement: returnValue.isElement },
        ])
      }
      const outer = rules.outer?.(node)
      for (const name of outer?.names ?? []) place.names.share(name, outer?.isGlobal ?? false)
      for (const variable of rules.variables?.(node) ?? [])
        if (variable.name !== '' && !lambdas.isGiven(variable, place))
          place.names.set(variable.name, assignedValue(node, variable, place))
    },
    /** The result of a function if only its body tells it. */
    resultOf({ kind, value }: Declaration, number: number): Value | undefined {
      const returnValues = value || !/^(function|method)$/.test(kind) ? [] : (results.get(number) ?? [])
      const values = returnValues.map(each => each.value).filter(each => each !== UNKNOWN)
      if (values.length === 0) return undefined
      return returnValues.some(each => each.isElement) ? ['list', eitherOf(values)] : eitherOf(values)
    },
  }

  function assignedValue(node: Node, variable: Variable, place: Place): Value {
    const value = reader.valueOfVariable(variable, place)
    return valueAfter(language, node, variable, value, place.names.get(variable.name))
  }

  function call(node: Node, found: Extract<Expression, { is: 'call' | 'new' }>, place: Place): void {
    if (found.is === 'new') {
      const type = language.type(found.type)
      const at = isIn(found.type, node) ? found.type : node
      if (type) add('new', at, dottedValue(type.name), place, found.count, argumentsOf(node, place))
    } else {
      if (calleeIds.has(node.id)) return
      const inner = 'id' in found.callee ? found.callee.parent : undefined
      if (inner && inner.id !== node.id) calleeIds.add(inner.id)
      const callee = reader.calleeOf(found, place)
      add('call', nameOf(node, found), callee, place, found.count, argumentsOf(node, place))
    }
    lambdas.note(node, place)
  }

  function use(node: Node, place: Place, access?: Access): void {
    const nameExpression = access && expressionOf(language, node)
    // A variable may hold what an accessor gave, and runs nothing.
    if (nameExpression?.is === 'name' && (place.names.get(nameExpression.name) ?? ['symbol'])[0] !== 'symbol') return
    const value = reader.valueOf(node, place)
    if (
      value[0] === 'member' ||
      value[0] === 'symbol' ||
      (access && value[0] === 'either') ||
      (value[0] === 'name' && value[1] !== '')
    )
      references.push({ kind: 'use', by: place.by, ...placeOf(lastOf(node)), value, ...(access && { access }) })
  }

  function argumentsOf(node: Node, place: Place): readonly Argument[] {
    const args = language.arguments?.(node).map(each => reader.argumentOf(each, place)) ?? []
    return args.some(each => Object.keys(each).length > 0) ? args : []
  }

  function add(
    kind: 'call' | 'new',
    at: Node,
    value: Value,
    { by }: Place,
    count: number,
    args: readonly Argument[] = [],
  ): void {
    references.push({ kind, by, ...placeOf(at), value, count, ...(args.length > 0 && { args }) })
  }
}

/** After an assignment that may not be reached a variable has one of two values; of more none is known. */
function valueAfter(
  { reassigns, scopes }: GrammarLanguage,
  node: Node,
  variable: Variable,
  value: Value,
  before: Value | undefined,
): Value {
  if (!reassigns || !node.type.includes('assignment')) return value
  const isNull = /^(None|null|nil)$/i.test(variable.init?.text ?? '')
  if (!before || before === NULL || !isInBranch(node, scopes)) return isNull ? NULL : value
  if (isNull) return before
  return before[0] === 'either' ? UNKNOWN : eitherOf([before, value])
}

/** The value of a variable that holds nothing yet, and nothing can be called on. */
const NULL: Value = ['name', '']

const BRANCH =
  /^(if|else|elif|unless|while|until|for|do|switch|case|when|match|try|except|rescue|ensure|catch|conditional|ternary|operator_assignment)(_|$)/

/** Reports whether code of its function may pass over a node. */
function isInBranch(node: Node, scopes: ReadonlySet<string>): boolean {
  if (BRANCH.test(node.type)) return true
  for (const { type } of around(node)) {
    if (scopes.has(type)) return false
    if (BRANCH.test(type)) return true
  }
  return false
}

/** Fewer names are written around most places. */
const MOST_AROUND = 200

/** The names in the function around a node, or else in its statement. */
function namesAround(node: Node): readonly string[] {
  let outer = node
  for (const each of around(node)) {
    if (each.parent === null) break
    outer = each
    if (FUNCTION.test(each.type)) break
  }
  return [...new Set(outer.text.match(/[\p{L}_][\p{L}\p{N}_]*/gu))].slice(0, MOST_AROUND)
}

const FUNCTION =
  /(^|_)(method|function|constructor|init)_(declaration|definition)$|^(singleton_)?method$|^local_function_statement$/

const lineOf = ({ startPosition }: Node) => ({ line: startPosition.row + 1 })

const placeOf = ({ startPosition, startIndex }: Node) => ({ line: startPosition.row + 1, at: startIndex })

const isIn = (inner: Node, { startIndex, endIndex }: Node): boolean =>
  inner.startIndex >= startIndex && inner.endIndex <= endIndex

/** The called name. */
const nameOf = (node: Node, { callee }: Extract<Expression, { is: 'call' }>): Node =>
  'id' in callee ? lastOf(callee) : (node.childForFieldName('name') ?? node)

const lastOf = (node: Node): Node => node.namedChildren.at(-1) ?? node

/** Values that calls pass to their lambdas, which tell more than a parameter without a type. */
function createLambdas(language: GrammarLanguage, reader: ValueReader) {
  const valuesById = new Map<number, { readonly implicit?: Value; readonly first?: Value }>()
  const passedValues = new WeakSet<Value>()
  return {
    /** Records the values that a call passes to its lambda. */
    note(call: Node, place: Place): void {
      const scope = language.lambdaScope?.(call)
      if (!scope) return
      const first = scope.first && reader.valueOf(scope.first.value, place)
      const { receivedBy } = scope
      valuesById.set(scope.lambda.id, {
        ...(receivedBy && { implicit: ['handed', reader.valueOf(receivedBy, place), -1, -1] }),
        ...(scope.implicit && { implicit: reader.valueOf(scope.implicit, place) }),
        ...(first && { first: scope.first?.isElement ? (['element', first] as const) : first }),
      })
    },
    /** The place inside of a lambda. */
    inside<P extends Place>(node: Node, place: P): P {
      const more = valuesById.size > 0 ? valuesById.get(node.id) : undefined
      if (!more) return place
      const names = openScope(place.names)
      if (more.first) {
        names.set(firstName(node), more.first)
        passedValues.add(more.first)
      }
      return { ...place, names, implicit: more.implicit ? [...place.implicit, more.implicit] : place.implicit }
    },
    /** Reports whether a call tells the value of a variable without a type. */
    isGiven(variable: Variable, place: Place): boolean {
      const before = place.names.get(variable.name)
      return before !== undefined && passedValues.has(before) && !variable.type && !variable.init
    },
  }

  function firstName(lambda: Node): string {
    const variables = [lambda, ...lambda.namedChildren].flatMap(each =>
      each && Object.hasOwn(language.variables, each.type) ? (language.variables[each.type]?.(each) ?? []) : [],
    )
    return variables[0]?.name ?? language.implicitParameter ?? ''
  }
}
