import { CALLED_BY_OPERATORS } from '../../model/languages/python-operators.ts'
import type { Operation } from '../../model/usage/operations.ts'
import { languageOf } from '../../model/languages.ts'
import { askParser } from '../../parser/ask-parser.ts'
import type { CodeParts } from '../code-parts.ts'
import { holds, KIND, type Location, type Position } from '../servers/lsp-schemas.ts'
import { ownerNode, type CallNode, type PossibleUse, type Use } from './call-node.ts'
import { classTree, type ClassAt, type ClassTree } from './classes/class-tree.ts'
import { inheriting } from './classes/overridden-methods.ts'
import { filesOfLanguage } from './files-of-language.ts'
import { each } from './find-callers.ts'
import type { UseParts } from './mentions.ts'
import { isSamePosition, shownPlaces } from './places.ts'
import { inTime, type OpenUses } from './same-name.ts'

interface PlacedOperation extends Use {
  readonly operation: Operation
}

/** The declaration of a class; without a path outside of the workspace. */
interface Declared {
  readonly path: string | undefined
  readonly start: Position
}

const NONE: OpenUses = { calls: [], possible: [], unknown: [] }

/**
 * Callers of a Python method that do not write its name: by an operator, a loop, a built-in function, or a computed
 * attribute.
 */
export async function operationUses(
  node: CallNode,
  parts: CodeParts & UseParts,
  budget: () => number,
): Promise<OpenUses> {
  const [position] = node.positions
  if (!position || languageOf(node.path) !== 'python') return NONE
  const method = node.name.slice(node.name.lastIndexOf('.') + 1)
  const tree = classTree(parts)
  const own = await tree.classOf(node.path, position)
  const isProtocol = own !== undefined && /^__(?!init__|new__|post_init__)\w+__$/.test(method)
  const isCalled = isProtocol && CALLED_BY_OPERATORS.has(method)
  const wanted = isCalled ? method : method.startsWith('__') ? undefined : 'getattr'
  if (wanted === undefined && !isProtocol) return NONE
  const having = own ? await inheriting(tree, own, method) : []
  const above = own ? (await tree.order(own)).classes.slice(1) : []
  const isOf = (classes: readonly ClassAt[]) => (type: Declared) =>
    classes.some(({ path, named }) => type.path === path && isSamePosition(named.selection.start, type.start))
  const calls: Use[] = []
  const possible: PossibleUse[] = []
  const open: { readonly untyped: Use[]; readonly late: Use[]; readonly computed: Use[] } = {
    untyped: [],
    late: [],
    computed: [],
  }
  const names = having.map(({ named }) => named.plain)
  const operations = wanted === undefined ? [] : await operationsIn(parts, node.path, wanted, names)
  const until = budget()
  await each(operations, judge)
  const unknown = [
    ...(isProtocol && !isCalled ? [`Python calls ${method} without its name being written`] : []),
    ...told(open.untyped, `Operations on values of unknown type may call ${method}`),
    ...told(open.late, `Operations that may call ${method} were not judged in time`),
    ...told(open.computed, 'Attributes with computed names may be it'),
    ...(method === '__hash__' ? ['Sets, dictionaries and caches call __hash__ of whatever is put into them'] : []),
    ...(method === '__next__' ? ['Loops call __next__ of whatever __iter__ returns'] : []),
  ]
  return { calls, possible, unknown }

  async function judge(use: PlacedOperation): Promise<void> {
    const types = performance.now() < until ? await inTime(typesOf(use, parts, tree), undefined) : undefined
    const isOpen = types === undefined || types === 'unknown'
    if (use.operation.calls === 'getattr') {
      if (isOpen ? mentionsIt(use.path) : types.some(isOf([...having, ...above]))) open.computed.push(use)
      return
    }
    if (await hasOne(use.operation.unless)) return
    if (isOpen) (types === 'unknown' ? open.untyped : open.late).push(use)
    else if (types.some(isOf(having))) calls.push(use)
    else if (types.some(isOf(above)))
      possible.push({ ...use, why: `through a class that ${own?.named.name} derives from` })
  }

  async function hasOne(methods: readonly string[]): Promise<boolean> {
    const found = await Promise.all([own, ...above].flatMap(one => methods.map(name => one && tree.member(one, name))))
    return found.some(Boolean)
  }

  /** Reports whether a file mentions the class, or the module of a function. */
  function mentionsIt(path: string): boolean {
    const words = own ? names : [node.path.slice(node.path.lastIndexOf('/') + 1).replace(/\.\w+$/, '')]
    return path === node.path || words.some(word => parts.looks.source(path).text.includes(word))
  }
}

const told = (uses: readonly Use[], why: string): readonly string[] =>
  uses.length > 0 ? [`${why}: ${shownPlaces(uses)}`] : []

/** Files that mention one of the names come first: they are more likely to use the class. */
async function operationsIn(
  parts: CodeParts & UseParts,
  like: string,
  wanted: string,
  names: readonly string[],
): Promise<readonly PlacedOperation[]> {
  const [near, far]: [PlacedOperation[], PlacedOperation[]] = [[], []]
  const isComputed = wanted === 'getattr'
  for await (const { path, text } of filesOfLanguage(parts, like)) {
    if (isComputed && !text.includes('getattr')) continue
    const heard = await askParser({ job: 'operations', path, content: text, name: wanted })
    const source = parts.looks.source(path)
    const list = names.some(name => text.includes(name)) ? near : far
    for (const operation of 'value' in heard ? (heard.value as readonly Operation[]) : []) {
      const line = source.positionOf(operation.at).line + 1
      list.push({ by: ownerNode(path, operation.by, parts.looks), path, line, operation })
    }
  }
  return [...near, ...far]
}

/** Declarations of a receiver's types. */
async function typesOf(
  { path, operation: { receiver, isResult } }: PlacedOperation,
  { server, looks, mayRead }: UseParts,
  tree: ClassTree,
): Promise<readonly Declared[] | 'unknown'> {
  if (receiver < 0) return 'unknown'
  const source = looks.source(path)
  const at = source.positionOf(receiver)
  if (!isResult && /^(self|cls)\b/.test(source.text.slice(receiver))) return ownClass()
  const declared = await server.definition(path, at)
  const types = isResult ? (await Promise.all(declared.map(resultOf))).flat() : await server.typeDefinition(path, at)
  // A class by its own name is no instance of itself. A name without a known type is reported as its own type.
  const instances = isResult ? types : types.filter(one => !declared.some(other => isSamePlace(one, other)))
  if (instances.length > 0) return instances.map(({ uri, range }) => ({ path: server.pathOf(uri), start: range.start }))
  return declared.length > 0 && !isResult && (await Promise.all(declared.map(isFunction))).every(Boolean)
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
    const named = mayRead(file) ? await looks.namedAt(file, range) : undefined
    return named !== undefined && CALLED.has(named.kind)
  }
}

const CALLED = new Set<number>([KIND.function, KIND.method, KIND.class, KIND.constructor])

const isSamePlace = (one: Location, other: Location): boolean =>
  one.uri === other.uri && isSamePosition(one.range.start, other.range.start)
