import type { Node, ObjectExpression, ObjectProperty } from 'oxc-parser'
import type { Value } from '../file-model/file-model.ts'
import { declareFunction, functionFacts } from './declare-function.ts'
import { keyName } from './names.ts'
import { addSymbol, type Place, type Reading } from './reading.ts'
import { isFunction } from './scope.ts'

/** An object; `this` in its methods is the object, if a name stands for it. */
export function declareObject(reading: Reading, node: ObjectExpression, at: Place): void {
  const self = reading.selfOf.get(node)
  for (const each of node.properties) {
    if (each.type === 'Property') declareProperty(reading, each, at, self)
    else reading.walk(each, at)
  }
}

/** Functions of a named object are methods; other entries are declared only if requested. */
function declareProperty(reading: Reading, node: ObjectProperty, at: Place, self: Value | undefined): void {
  const { key, value, computed } = node
  const name = keyName(key, computed)
  if (computed) reading.walk(key, at)
  const isNamed = !at.inFunction && at.parent >= 0 && name !== undefined
  if (!isFunction(value)) {
    const number = isNamed && reading.entries ? entry(name, 'property', value) : at.parent
    return reading.walk(value, { ...at, parent: number })
  }
  if (!isNamed) return declareFunction(reading, value, at, name === undefined && node.method ? self : undefined)
  const number = entry(name, 'method', value.body)
  reading.symbolOf.set(value, number)
  declareFunction(reading, value, { ...at, parent: number }, self)

  function entry(entryName: string, kind: 'method' | 'property', body: Node | null): number {
    return addSymbol(reading, {
      name: entryName,
      kind,
      parent: at.parent,
      whole: node,
      nameAt: key.start,
      body,
      later: () => (isFunction(value) ? functionFacts(value, at.scope) : {}),
    })
  }
}
