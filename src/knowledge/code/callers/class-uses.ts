import { languageAt } from '../../../languages/registry.ts'
import type { Position } from '../servers/lsp-schemas.ts'
import type { FoundUses, PossibleUse, Use } from './call-node.ts'
import { classTree } from './classes/class-tree.ts'
import { whyUnmade } from './classes/own-construction.ts'
import { isOwnClass } from './operations/held-classes.ts'
import { mentions, placesIn, usedPlaces, type UsedPlace, type UseParts } from './mentions.ts'

/**
 * Places that construct a class, or a derived class without a constructor of its own. They are possible where the language
 * may not reach `method`, the constructor in question.
 */
export async function classUses(
  path: string,
  position: Position,
  parts: UseParts,
  method?: string,
): Promise<FoundUses> {
  const calls: Use[] = []
  const possible: PossibleUse[] = []
  const tree = classTree(parts)
  const ownClass = await tree.classAt(path, position)
  const visitedKeys = new Set<string>()
  const open = [{ path, position }]
  for (let next = open.pop(); next; next = open.pop()) {
    const key = `${next.path} ${next.position.line}:${next.position.character}`
    if (visitedKeys.has(key)) continue
    visitedKeys.add(key)
    const why = method === undefined ? undefined : await whyUnmade(tree, next, method, parts)
    const add = (use: Use) => void (why === undefined ? calls.push(use) : possible.push({ ...use, why }))
    for (const use of await callsOfOwn(next)) add(use)
    for (const place of await usedPlaces(await mentions(next.path, [next.position], parts), parts)) {
      const { role } = place.usage
      if (role === 'call') add(place)
      if (role === 'value') possible.push({ ...place, why: 'the class is passed as a value' })
      if (role === 'base') await derive(place)
    }
  }
  return { calls, possible }

  async function derive({ path: file, usage: { declares } }: UsedPlace): Promise<void> {
    if (!declares) return
    const at = parts.looks.source(file).positionOf
    calls.push(...(await placesIn(file, declares.superCalls.map(at), parts.looks)))
    if (declares.constructs || declares.nameAt < 0) return
    const subclass = { path: file, position: at(declares.nameAt) }
    if (!languageAt(file).readsClasses || (await isInherited(subclass))) open.push(subclass)
  }

  /** `cls()` in a class. */
  async function callsOfOwn(at: { path: string; position: Position }): Promise<readonly Use[]> {
    const one = await tree.classAt(at.path, at.position)
    if (!one || !languageAt(at.path).readsClasses) return []
    const { text, offsetOf, positionOf } = parts.looks.source(at.path)
    const [from, to] = [offsetOf(one.named.range.start), offsetOf(one.named.range.end)]
    const clsPositions = Array.from(text.slice(from, to).matchAll(/\bcls\b/g), ({ index }) => positionOf(from + index))
    const callPlaces = (await placesIn(at.path, clsPositions, parts.looks)).filter(({ usage }) => usage.role === 'call')
    const isOwn = await Promise.all(callPlaces.map(({ path: file, position: place }) => isOwnClass(file, place, parts)))
    return callPlaces.filter((_, number) => isOwn[number])
  }

  /** Reports whether the constructor of our class is the first that the language finds. */
  async function isInherited({ path: file, position: at }: { path: string; position: Position }): Promise<boolean> {
    const one = await tree.classAt(file, at)
    if (!one) return false
    for (const each of (await tree.order(one)).classes) {
      if (each.key === ownClass?.key) return true
      if (await tree.member(each, languageAt(file).constructorName ?? '')) return false
    }
    return false
  }
}
