import { holds, KIND, rangeKey, type CallItem, type Range } from '../servers/lsp-words.ts'
import { isModule, moduleNode, nodeOf, unservedNode, useAt, type CallNode, type PlacedUse } from './call-node.ts'
import { mentions, type CallParts } from './mentions.ts'
import { isInConstructor, type Named } from './named.ts'
import { superCalls } from './super-calls.ts'

/** A class is written in many places that do not call it. */
const NEVER_VALUES = new Set<number>([KIND.class, KIND.interface, KIND.struct, KIND.enum])

const VALUES = new Set<number>([KIND.property, KIND.field, KIND.variable, KIND.constant])

/** Kinds of symbols that can hold code. */
const HOLD_CODE = new Set<number>([...VALUES, KIND.method, KIND.constructor, KIND.function, KIND.class])

/** Whoever calls a function, or hands it on as a value, directly. Files that may not be read are left out. */
export async function directUses(node: CallNode, parts: CallParts): Promise<readonly PlacedUse[]> {
  const { server, looks, required } = parts
  const uses: PlacedUse[] = []
  const called = new Set<string>()
  for (const item of [...node.items, ...(await classItems())])
    for (const { from, fromRanges } of await server.incoming(item)) {
      const path = readable(from.uri)
      for (const range of fromRanges) called.add(`${from.uri} ${rangeKey(range)}`)
      if (path === undefined) continue
      for (const range of fromRanges) uses.push(useAt(await callerOf(from, path, range), path, range))
    }
  const isType = node.items.some(({ kind }) => NEVER_VALUES.has(kind))
  for (const { path, range, kind, unserved } of await required.of(node.name, node)) {
    if (kind !== 'call' && (kind !== 'use' || isType)) continue
    const by = unserved ? unservedNode(path, unserved.by) : ((await ownerAt(path, range)) ?? moduleNode(path))
    uses.push(useAt(by, path, range))
  }
  for (const { path, range } of await superCalls(node, parts)) {
    const owner = (await ownerAt(path, range)) ?? moduleNode(path)
    const isClass = owner.items.some(({ kind }) => kind === KIND.class)
    uses.push(useAt(isClass ? { ...owner, name: `${owner.name}.constructor` } : owner, path, range))
  }
  if (isType) return uses
  for (const { uri, range } of await mentions(node.path, node.positions, parts)) {
    const path = readable(uri)
    if (path === undefined || called.has(`${uri} ${rangeKey(range)}`)) continue
    if ((await looks.brought(path)).isBrought(range.start)) continue
    const named = await looks.namedAt(path, range)
    if (named && !isShorthand(named)) continue
    uses.push(useAt((await ownerAt(path, range)) ?? moduleNode(path), path, range))
  }
  return uses

  function readable(uri: string): string | undefined {
    const path = server.pathOf(uri)
    return path !== undefined && parts.mayRead(path) ? path : undefined
  }

  async function callerOf(from: CallItem, path: string, range: Range): Promise<CallNode> {
    // Some servers see no function in one that is assigned to a property.
    if (isModule(from) || isNameless(from)) return (await ownerAt(path, range)) ?? moduleNode(path)
    const caller = await nodeOf(from, path, looks)
    const isConstructor = from.kind === KIND.class && isInConstructor(await looks.outline(path), range.start)
    return isConstructor ? { ...caller, name: `${caller.name}.constructor` } : caller
  }

  /** Whoever calls a class calls its constructor. */
  async function classItems(): Promise<readonly CallItem[]> {
    if (!node.name.endsWith(CONSTRUCTOR)) return []
    const name = node.name.slice(0, -CONSTRUCTOR.length)
    const owner = (await looks.named(node.path)).find(one => one.name === name && one.kind === KIND.class)
    return owner ? server.callItems(node.path, owner.selection.start) : []
  }

  /** The innermost function that a place is in. */
  async function ownerAt(path: string, range: Range): Promise<CallNode | undefined> {
    const around = (await looks.named(path)).filter(named => HOLD_CODE.has(named.kind) && holds(named.range, range))
    for (const named of around.toSorted(innermostFirst)) {
      const isValue = VALUES.has(named.kind)
      // Most values hold no code, and need not be asked about.
      if (isValue && !isAssigned(named, path)) continue
      const items = server.can('callHierarchy') ? await server.callItems(path, named.selection.start) : []
      const item = items.find(one => server.pathOf(one.uri) === path && holds(one.range, range) && !isModule(one))
      if (item) return nodeOf(item, path, looks)
      if (isValue || named.kind === KIND.function || named.kind === KIND.method) return plainNode(named, path)
    }
    return undefined
  }

  /** Whether a function is the value of a variable or property, or it is one that is read by running it. */
  function isAssigned({ selection: { end } }: Named, path: string): boolean {
    const lines = looks.lines(path).slice(end.line, end.line + HEAD_LINES)
    return ASSIGNED.test(lines.join('\n').slice(end.character, end.character + LONGEST_HEAD))
  }
}

/** `{ total }` names a property and hands on what it is named after. */
const isShorthand = ({ kind, range, selection }: Named): boolean =>
  VALUES.has(kind) && rangeKey(range) === rangeKey(selection)

const HEAD_LINES = 8
const LONGEST_HEAD = 400

const CONSTRUCTOR = '.__init__'

/** Such as `(lambda)`. */
const isNameless = ({ name }: CallItem): boolean => name.startsWith('(')

const FUNCTION = String.raw`\s*(?:async\s*)?(?:(?:function|lambda)\b|[\w$]+\s*=>|(?:<[^<>]*>\s*)?\([^;]*?\)\s*(?::[^=;]+)?=>)`
const ASSIGNED = new RegExp(`^(?:\\s*\\(|\\s*:${FUNCTION}|\\s*[?!]?(?::[^=;]*(?:=>[^=;]*)?)?=(?!=)${FUNCTION})`)

const plainNode = ({ name, selection }: Named, path: string): CallNode => ({
  key: `${path} ${rangeKey(selection)}`,
  name,
  path,
  items: [],
  positions: [selection.start],
})

const innermostFirst = (one: Named, other: Named): number => (holds(one.range, other.range) ? 1 : -1)
