import { languageAt, titleOf } from '../../../languages/registry.ts'
import { CALLED_BY_OPERATORS } from '../../../languages/python/operators.ts'
import type { Operation } from '../../model/usage/operations.ts'
import { askParser } from '../../parser/ask-parser.ts'
import type { CodeParts } from '../code-parts.ts'
import { holds, KIND, type Location, type Position } from '../servers/lsp-schemas.ts'
import { ownerNode, type CallNode, type PossibleUse, type Use } from './call-node.ts'
import { classTree, type ClassAt, type ClassTree } from './classes/class-tree.ts'
import { inheriting } from './classes/overridden-methods.ts'
import { filesOfLanguage } from './files-of-language.ts'
import { each } from './find-callers.ts'
import { heldCalls, isHeldClass, isOwnClass, returnsClass } from './operations/held-classes.ts'
import type { UseParts } from './mentions.ts'
import { isSamePosition, shownPlaces } from './places.ts'
import type { PlacedOperation } from './operations/placed-operation.ts'
import { inTime, type OpenUses } from './same-name.ts'
import { wordOf } from '../../../languages/file-model/word-of.ts'
import { hoveredType, isOpenType, isPlainType } from './operations/hovered-type.ts'

/** The declaration of a class; without a path outside of the workspace. */
interface Declared {
  readonly path: string | undefined
  readonly start: Position
}

const NONE: OpenUses = { calls: [], possible: [], unknown: [] }
const CONSTRUCTOR = /^__(?:init|new|post_init)__$/

/**
 * Callers of a method that do not write its name: by an operator, a loop, a built-in function, a computed
 * attribute, or for a constructor by a name that holds the class.
 */
export async function operationUses(
  node: CallNode,
  parts: CodeParts & UseParts,
  budget: () => number,
): Promise<OpenUses> {
  const [position] = node.positions
  const language = languageAt(node.path)
  if (!position || !language.readsClasses) return NONE
  const tree = classTree(parts)
  const ownClass = await tree[node.isClass ? 'classAt' : 'classOf'](node.path, position)
  const method = node.isClass ? (language.constructorName ?? '') : node.name.slice(node.name.lastIndexOf('.') + 1)
  const isMade = ownClass !== undefined && CONSTRUCTOR.test(method)
  const isProtocol = ownClass !== undefined && !isMade && /^__\w+__$/.test(method)
  const isCalled = isProtocol && CALLED_BY_OPERATORS.has(method)
  const operationName = isMade ? '__call__' : isCalled ? method : method.startsWith('__') ? undefined : 'getattr'
  if (operationName === undefined && !isProtocol) return NONE
  const classesWithMethod = ownClass ? await inheriting(tree, ownClass, method) : []
  const above = ownClass ? (await tree.order(ownClass)).classes.slice(1) : []
  const isOf = (classes: readonly ClassAt[]) => (type: Declared) =>
    classes.some(({ path, named }) => type.path === path && isSamePosition(named.selection.start, type.start))
  const calls: Use[] = []
  const possible: PossibleUse[] = []
  const open = { untyped: [], late: [], computed: [], elements: [] } as Record<OpenKind, Use[]>
  const names = classesWithMethod.map(({ named }) => named.plain)
  const operationPlaces = operationName === undefined ? [] : await operationsIn(parts, node.path, operationName, names)
  const operations = isMade ? await heldCalls(operationPlaces, parts, node.path) : operationPlaces
  const until = budget()
  const elements = elementJudge(parts, [...classesWithMethod, ...above], mentionsIt)
  await each(operations, judge)
  const isKey = method === '__hash__' || (method === '__eq__' && (await hasOne(['__hash__'])))
  const unknown = [
    ...(isProtocol && !isCalled ? [`${titleOf(language)} calls ${method} without its name being written`] : []),
    ...reasonFor(open.untyped, isMade ? HELD : `Operations on values of unknown type may call ${method}`),
    ...reasonFor(open.late, `Operations that may call ${method} were not judged in time`),
    ...reasonFor(open.computed, 'Attributes with computed names may be it'),
    ...reasonFor(open.elements, `Library code may call ${method} on values of unknown type`),
    ...(isKey ? [`Sets, dictionaries and caches call ${method} of whatever is put into them`] : []),
    ...(method === '__next__' ? ['Loops call __next__ of whatever __iter__ returns'] : []),
  ]
  return { calls, possible, unknown }

  async function judge(use: PlacedOperation): Promise<void> {
    const isInTime = performance.now() < until
    if (use.operation.elements) {
      const verdict = isInTime ? await inTime(elements(use, use.operation), 'late') : 'late'
      if (verdict === 'late') open.late.push(use)
      else if (verdict === 'open') open.elements.push(use)
      else if (verdict === 'it') possible.push({ ...use, why: 'library code may call it on the value or its elements' })
      return
    }
    const types = isInTime ? await inTime(typesOf(use, parts, tree), undefined) : undefined
    const isOpen = types === undefined || types === 'unknown'
    if (use.operation.calls === 'getattr') {
      if (isOpen ? mentionsIt(use.path) : types.some(isOf([...classesWithMethod, ...above]))) open.computed.push(use)
      return
    }
    if (await hasOne(use.operation.unless)) return
    if (isOpen) {
      if (!isMade || mentionsIt(use.path)) (types === 'unknown' ? open.untyped : open.late).push(use)
      return
    }
    const isOwn = types.some(isOf(classesWithMethod))
    if (!isOwn && !types.some(isOf(above))) {
      if (isMade && (await inTime(returnsClass(use, names, parts), false)))
        possible.push({ ...use, why: 'the result has the type of a class with its name' })
      return
    }
    // A call on the class itself constructs an object, and calls no method of one.
    const isClass = await inTime(isHeldClass(use, parts), undefined)
    if (isClass === !isMade) return
    if (isOwn && isClass !== undefined) calls.push(use)
    else if (isOwn) possible.push({ ...use, why: 'it may be the class or an object of it' })
    else possible.push({ ...use, why: `through a class that ${ownClass?.named.name} derives from` })
  }

  async function hasOne(methods: readonly string[]): Promise<boolean> {
    const members = await Promise.all(
      [ownClass, ...above].flatMap(one => methods.map(name => one && tree.member(one, name))),
    )
    return members.some(Boolean)
  }

  /** Reports whether a file mentions the class, or the module of a function. */
  function mentionsIt(path: string): boolean {
    const words = ownClass ? names : [node.path.slice(node.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')]
    return path === node.path || words.some(word => parts.looks.source(path).text.includes(word))
  }
}

type OpenKind = 'untyped' | 'late' | 'computed' | 'elements'

const HELD = 'Classes that are held by names of unknown type may be it'

const reasonFor = (uses: readonly Use[], why: string): readonly string[] =>
  uses.length > 0 ? [`${why}: ${shownPlaces(uses)}`] : []

/** Files that mention one of the names come first: they are more likely to use the class. */
async function operationsIn(
  parts: CodeParts & UseParts,
  like: string,
  wanted: string,
  names: readonly string[],
): Promise<readonly PlacedOperation[]> {
  const [near, far, later]: [PlacedOperation[], PlacedOperation[], PlacedOperation[]] = [[], [], []]
  const isComputed = wanted === 'getattr'
  for await (const { path, text } of filesOfLanguage(parts, like)) {
    if (isComputed && !text.includes('getattr')) continue
    const reply = await askParser({ job: 'operations', path, content: text, name: wanted })
    const source = parts.looks.source(path)
    const list = names.some(name => text.includes(name)) ? near : far
    for (const operation of 'value' in reply ? (reply.value as readonly Operation[]) : []) {
      const line = source.positionOf(operation.at).line + 1
      const use = { by: ownerNode(path, operation.by, parts.looks), path, line, operation }
      if (operation.elements && list === far) later.push(use)
      else list.push(use)
    }
  }
  return [...near, ...far, ...later]
}

/** Declarations of a receiver's types. */
async function typesOf(
  { path, operation: { receiver, isResult } }: PlacedOperation,
  parts: UseParts,
  tree: ClassTree,
): Promise<readonly Declared[] | 'unknown'> {
  const { server, looks, mayRead } = parts
  if (receiver < 0) return 'unknown'
  const source = looks.source(path)
  const at = source.positionOf(receiver)
  const [name] = isResult ? [] : (/^(?:self|cls)\b/.exec(source.text.slice(receiver, receiver + 5)) ?? [])
  if (name === 'self' || (name === 'cls' && (await isOwnClass(path, at, parts)))) return ownClass()
  const definitions = await server.definition(path, at)
  const types = isResult ? (await Promise.all(definitions.map(resultOf))).flat() : await server.typeDefinition(path, at)
  // A class by its own name is no instance of itself. A name without a known type is reported as its own type.
  const instances = isResult ? types : types.filter(one => !definitions.some(other => isSamePlace(one, other)))
  if (instances.length > 0) return instances.map(({ uri, range }) => ({ path: server.pathOf(uri), start: range.start }))
  return definitions.length > 0 && !isResult && (await Promise.all(definitions.map(isFunction))).every(Boolean)
    ? []
    : 'unknown'

  async function ownClass(): Promise<readonly Declared[] | 'unknown'> {
    const around = (await tree.classes(path)).findLast(({ named }) => holds(named.range, { start: at, end: at }))
    return around ? [{ path, start: around.named.selection.start }] : 'unknown'
  }

  async function resultOf(place: Location): Promise<readonly Location[]> {
    const file = server.pathOf(place.uri)
    if (file === undefined || !mayRead(file)) return []
    const [usage] = await looks.usages(file, [place.range.start])
    if (usage?.declares?.returns !== undefined)
      return server.definition(file, looks.source(file).positionOf(usage.declares.returns))
    return (await looks.namedAt(file, place.range))?.kind === KIND.class ? [place] : []
  }

  /** The server knows outside declarations; those are no values of ours. */
  async function isFunction({ uri, range }: Location): Promise<boolean> {
    const file = server.pathOf(uri)
    if (file === undefined) return true
    const symbol = mayRead(file) ? await looks.namedAt(file, range) : undefined
    return symbol !== undefined && CALLED.has(symbol.kind)
  }
}

const CALLED = new Set<number>([KIND.function, KIND.method, KIND.class, KIND.constructor])

const isSamePlace = (one: Location, other: Location): boolean =>
  one.uri === other.uri && isSamePosition(one.range.start, other.range.start)

/**
 * Returns a judge of whether library code may call a method of a class on what it is given: `it` if the type names one
 * of the classes, `open` if the type is unknown in a file that knows the class.
 */
function elementJudge({ server, looks }: UseParts, classes: readonly ClassAt[], knowsIt: (path: string) => boolean) {
  const names = classes.map(({ named }) => named.plain)
  const words = names.map(name => wordOf(name))
  return async (
    { path }: { readonly path: string },
    { elements = [], isContainer }: Pick<Operation, 'elements' | 'isContainer'>,
  ): Promise<'it' | 'open' | 'other'> => {
    let isOpen = false
    for (const at of elements) {
      const type = hoveredType(await server.hover(path, looks.source(path).positionOf(at)))
      const isItself = isContainer === true && isPlainType(type, names)
      if (!isItself && words.some(word => word.test(type))) return 'it'
      isOpen ||= isOpenType(type)
    }
    return isOpen && knowsIt(path) ? 'open' : 'other'
  }
}
