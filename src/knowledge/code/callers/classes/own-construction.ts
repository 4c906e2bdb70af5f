import { languageAt } from '../../../../languages/registry.ts'
import type { Position } from '../../servers/lsp-schemas.ts'
import type { UseParts } from '../mentions.ts'
import type { ClassAt, ClassTree } from './class-tree.ts'

/** Metaclasses that construct as `type` does. */
const PLAIN = /^(type|ABCMeta)$/
const MADE = /\breturn\s+(?:super\s*\([^()]*\)|\w+)\.__new__\(\s*cls\b/
const RETURNED = /\breturn\b/g

/**
 * Why a call of a Python class may not run a constructor: its `__new__` may return something else, or its metaclass
 * decides what a call does.
 */
export async function whyUnmade(
  tree: ClassTree,
  { path, position }: { readonly path: string; readonly position: Position },
  method: string,
  parts: UseParts,
): Promise<string | undefined> {
  const one = languageAt(path).readsClasses ? await tree.classAt(path, position) : undefined
  if (!one) return undefined
  const { classes } = await tree.order(one)
  for (const each of classes) {
    const metaclass = await metaclassOf(tree, each, parts)
    if (metaclass !== undefined) return `${metaclass}, its metaclass, decides what a call of the class does`
  }
  if (method === '__new__') return undefined
  for (const each of classes) {
    const newMethod = await tree.member(each, '__new__')
    if (!newMethod) continue
    const { text, offsetOf } = parts.looks.source(each.path)
    const body = text.slice(offsetOf(newMethod.range.start), offsetOf(newMethod.range.end))
    // The first one decides.
    const isUsual = MADE.test(body) && body.match(RETURNED)?.length === 1
    if (!isUsual) return `${newMethod.name} may return something else`
  }
  return undefined
}

/** The name of a metaclass with a `__call__` of its own, or one that is not known to have none. */
async function metaclassOf(
  tree: ClassTree,
  { path, named }: ClassAt,
  { server, looks, mayRead }: UseParts,
): Promise<string | undefined> {
  const { text, offsetOf, positionOf } = looks.source(path)
  const from = offsetOf(named.selection.start)
  const head = /^\w+\s*\([^:]*?\bmetaclass\s*=\s*(?:\w+\.)*(?=\w)/.exec(text.slice(from, offsetOf(named.range.end)))
  if (!head) return undefined
  const at = from + head[0].length
  const name = /^\w+/.exec(text.slice(at))?.[0] ?? ''
  if (PLAIN.test(name)) return undefined
  for (const { uri, range } of await server.definition(path, positionOf(at))) {
    const file = server.pathOf(uri)
    const one = file !== undefined && mayRead(file) ? await tree.classAt(file, range.start) : undefined
    if (!one) return name
    const { classes, outside, isUnknown } = await tree.order(one)
    const metaCalls = await Promise.all(classes.map(each => tree.member(each, '__call__')))
    return metaCalls.some(Boolean) || isUnknown || outside.some(each => !PLAIN.test(each)) ? name : undefined
  }
  return name
}
