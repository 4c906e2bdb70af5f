import type { ImportDeclaration, Node, TSImportEqualsDeclaration } from 'oxc-parser'
import { importedName } from './names.ts'
import { addImport, type Place, type Reading } from './reading.ts'
import { lazily, type Binding } from './scope.ts'
import { namedType } from './value-of.ts'

export function declareImport(reading: Reading, node: ImportDeclaration, at: Place): void {
  const { value: module } = node.source
  for (const each of node.specifiers) {
    const value = addImport(reading, each, module, importedName(each), each.local.name)
    bind(reading, at, each.local.name, () => value)
  }
  if (node.specifiers.length === 0) addImport(reading, node, module, '*', '')
}

/** `import name = require('…')`, `import name = Space.other`. */
export function declareImportEquals(reading: Reading, node: TSImportEqualsDeclaration, at: Place): void {
  const { moduleReference: from, id } = node
  if (from.type !== 'TSExternalModuleReference') return bind(reading, at, id.name, () => namedType(from, at.scope))
  const value = addImport(reading, node, from.expression.value, '=', id.name)
  bind(reading, at, id.name, () => value)
}

/** An import that binds no name, such as `require('…')` inside of an expression. */
export function importHere(reading: Reading, node: Node, module: string, name: string): void {
  addImport(reading, node, module, name, '')
  reading.importOf.set(node, reading.imports.length - 1)
}

/** A name that may be a value and a type. */
function bind(reading: Reading, { scope }: Place, name: string, find: Binding): void {
  if (!reading.meaning) return
  const binding = lazily(find)
  scope.values.set(name, binding)
  scope.types.set(name, binding)
}
