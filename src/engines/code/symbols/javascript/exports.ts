import type { ModuleExportName, Program } from 'oxc-parser'
import { handedByCall, handedInside, type HandedOn } from './handed-on.ts'
import { bindingNames, keyName } from './names.ts'
import type { OwnExport, Value } from '../file-code.ts'
import { addImport, type Reading } from './reading.ts'
import { lookUp, type Scope } from './scope.ts'
import { valueOf } from './value-of.ts'

/** What a file gives to others, under which name. */
export function exportsIn(
  reading: Reading,
  program: Program,
  root: Scope,
): { readonly exports: readonly OwnExport[]; readonly stars: readonly string[] } {
  const exports: OwnExport[] = []
  const stars: string[] = []
  const add = (name: string, value: Value | undefined): void => {
    if (value) exports.push({ name, value })
  }
  const named = (name: string): void => {
    addBoth(name, name)
  }
  /** One name can be a value and a type of its own. */
  const addBoth = (exported: string, local: string): void => {
    const [value, type] = [lookUp(root, 'values', local)?.(), lookUp(root, 'types', local)?.()]
    add(exported, value)
    if (type && (type[0] !== value?.[0] || type[1] !== value[1])) add(exported, type)
  }
  for (const statement of program.body) {
    switch (statement.type) {
      case 'ExportNamedDeclaration': {
        const { declaration, source, specifiers } = statement
        if (declaration?.type === 'VariableDeclaration')
          for (const { id } of declaration.declarations) bindingNames(id).forEach(named)
        else if (declaration && 'id' in declaration && declaration.id?.type === 'Identifier') named(declaration.id.name)
        for (const each of specifiers) {
          const [local, exported] = [textOf(each.local), textOf(each.exported)]
          if (source) add(exported, addImport(reading, each, source.value, local, ''))
          else addBoth(exported, local)
        }
        break
      }
      case 'ExportAllDeclaration': {
        const { exported, source } = statement
        const whole = addImport(reading, statement, source.value, '*', '')
        if (exported) add(textOf(exported), whole)
        else stars.push(source.value)
        break
      }
      case 'ExportDefaultDeclaration': {
        const { declaration } = statement
        const symbol = reading.symbolOf.get(declaration) ?? reading.symbolOf.get(statement)
        add('default', symbol === undefined ? valueOf(reading, declaration, root) : ['symbol', symbol])
        break
      }
      case 'TSExportAssignment':
        add('=', valueOf(reading, statement.expression, root))
        break
      case 'ExpressionStatement': {
        const { expression } = statement
        if (expression.type === 'CallExpression') handOn(handedByCall(expression))
        if (expression.type !== 'AssignmentExpression' || expression.left.type !== 'MemberExpression') break
        const { object, property, computed } = expression.left
        const name = keyName(property, computed)
        if (name === undefined) break
        const value = valueOf(reading, expression.right, root)
        if (object.type === 'Identifier' && object.name === 'exports') add(name, value)
        else if (object.type === 'Identifier' && object.name === 'module' && name === 'exports') {
          const handed = handedInside(expression.right)
          handOn(handed)
          if (handed.self) add('=', valueOf(reading, handed.self, root))
        } else if (reading.text.slice(object.start, object.end) === 'module.exports') add(name, value)
      }
    }
  }
  return { exports, stars }

  function handOn({ objects, wholes }: HandedOn): void {
    for (const object of objects) {
      const value = valueOf(reading, object, root)
      if (value?.[0] === 'object') for (const [name, inner] of Object.entries(value[1])) add(name, inner)
    }
    for (const whole of wholes) {
      const module = moduleIn(valueOf(reading, whole, root))
      if (module !== undefined) stars.push(module)
    }
  }

  /** The module that a value is as a whole, also where a variable has it. */
  function moduleIn(value: Value | undefined): string | undefined {
    if (value?.[0] === 'symbol') {
      const draft = reading.drafts[value[1]]
      const held = draft?.kind === 'variable' ? (draft.value ?? draft.later?.().value) : undefined
      return held?.[0] === 'import' ? moduleIn(held) : undefined
    }
    const brought = value?.[0] === 'import' ? reading.imports[value[1]] : undefined
    return brought && /^[=*]$/.test(brought.name) ? brought.module : undefined
  }
}

const textOf = (name: ModuleExportName): string => (name.type === 'Literal' ? name.value : name.name)
