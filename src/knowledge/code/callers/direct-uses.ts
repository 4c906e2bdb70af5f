import { isScriptFile, languageAt } from '../../../languages/registry.ts'
import { moduleNode, unservedNode, type CallNode, type FoundUses, type PossibleUse, type Use } from './call-node.ts'
import { classUses } from './class-uses.ts'
import { classTree } from './classes/class-tree.ts'
import { mentions, placesIn, usedPlaces, type CallParts, type UsedPlace } from './mentions.ts'
import { receiverJudge } from './receiver-judge.ts'

const CONSTRUCTOR = /\.__(init|new|post_init)__$/

/** Direct callers of a function, and places that pass it as a value. Leaves out files that may not be read. */
export async function directUses(node: CallNode, parts: CallParts): Promise<FoundUses> {
  const calls: Use[] = []
  const possible: PossibleUse[] = []
  const add = (found: FoundUses) => {
    calls.push(...found.calls)
    possible.push(...found.possible)
  }
  const [position] = node.positions
  if (!position) return { calls, possible }
  add(await requiredUses(node, parts))
  if (node.isClass) {
    add(await classUses(node.path, position, parts))
    return { calls, possible }
  }
  if (CONSTRUCTOR.test(node.name) && languageAt(node.path).readsClasses) {
    const classHere = await classTree(parts).classOf(node.path, position)
    const method = node.name.slice(node.name.lastIndexOf('.') + 1)
    if (classHere) add(await classUses(classHere.path, classHere.named.selection.start, parts, method))
  }
  add(await namedUses(node, parts))
  return { calls, possible }
}

/** Calls of a function by its name, or by a variable that it is assigned to. */
async function namedUses(node: CallNode, parts: CallParts): Promise<FoundUses> {
  const calls: Use[] = []
  const possible: PossibleUse[] = []
  const judge = receiverJudge(node, parts)
  const declaredUsages = await parts.looks.usages(node.path, node.positions)
  const isAccessor = declaredUsages.some(({ declares }) => declares?.isAccessor)
  const places = await usedPlaces(await mentions(node.path, node.positions, parts), parts)
  for (const place of places) {
    const { role, receiver, isTaken } = place.usage
    // What an accessor returned is used without it.
    if (isAccessor && isScriptFile(node.path) && receiver === undefined && !isTaken) continue
    if (OPERATOR.test(node.name) && isOperation(place, parts)) calls.push(place)
    else if (CLASS_NAMED.test(node.name)) {
      if (role !== 'import' && !isWritten(place, node, parts)) calls.push(place)
    } else if (role === 'call' || (isAccessor && (receiver !== undefined || isTaken))) {
      const verdict = await (receiver === undefined ? judge.taken(place) : judge.family(place))
      if (verdict === 'it') calls.push(place)
      else if (verdict) possible.push({ ...place, why: verdict })
    } else if (role === 'value') possible.push({ ...place, why: 'passed as a value' })
  }
  for (const place of places) if (place.usage.role === 'value') possible.push(...(await assignedUses(place, parts)))
  return { calls, possible }
}

/** A constructor with the name of its class is called wherever the server sees it, also by `Cart c(1);`. */
const CLASS_NAMED = /(?:^|\.)(\w+)\.\1$/

const OPERATOR = /(?:^|\.)operator(?!\w)/

/** Reports whether a C++ operator is called here: by its sign, as in `a + b`, or by its name on an object. */
function isOperation({ path, position }: UsedPlace, { looks }: CallParts): boolean {
  const { text, offsetOf } = looks.source(path)
  const at = offsetOf(position)
  return !text.startsWith('operator', at) || /(?:\.|->)\s*$/.test(text.slice(Math.max(0, at - 20), at))
}

/** Reports whether the function's own name is at this place, which makes it a declaration. */
function isWritten({ path, position, usage }: UsedPlace, { name }: CallNode, { looks }: CallParts): boolean {
  const source = looks.source(path)
  const text = source.text.slice(source.offsetOf(position))
  return usage.role === 'declaration' && text.startsWith(name.slice(name.lastIndexOf('.') + 1))
}

/** `alias = f` and then `alias()`. */
async function assignedUses({ path, usage: { alias } }: UsedPlace, parts: CallParts): Promise<readonly PossibleUse[]> {
  if (alias === undefined) return []
  const { source } = parts.looks
  const name = /^[\w$]+/.exec(source(path).text.slice(alias))?.[0] ?? ''
  const position = source(path).positionOf(alias)
  const places = await usedPlaces(await mentions(path, [position], parts), parts)
  return places
    .filter(({ usage }) => usage.role === 'call')
    .map(place => ({ ...place, why: `calls ${name}, which it is assigned to` }))
}

/** Uses by `require`, which no server follows. */
async function requiredUses(node: CallNode, parts: CallParts): Promise<FoundUses> {
  const calls: Use[] = []
  const possible: PossibleUse[] = []
  for (const { path, range, kind, unserved } of await parts.required.of(node.name, node)) {
    if (kind !== 'call' && kind !== 'use') continue
    const [place] = unserved ? [] : await placesIn(path, [range.start], parts.looks)
    const by = unserved ? unservedNode(path, unserved.by) : (place?.by ?? moduleNode(path))
    const use = { by, path, line: range.start.line + 1 }
    if (kind === 'call' || place?.usage.role === 'call') calls.push(use)
    else if (!node.isClass) possible.push({ ...use, why: 'passed as a value' })
  }
  return { calls, possible }
}
