import type { Node } from 'web-tree-sitter'
import type { Argument, Declaration, Value } from '../file-model.ts'
import type { GrammarLanguage, Parameter, Variable, WrittenArgument } from './language.ts'
import { createValueReader, expressionOf, UNKNOWN, type Place, type ValueReader } from './values.ts'

/** A reader that also tells which types are written, by which overloads are told apart. */
export interface ArgumentReader extends ValueReader {
  argumentOf(argument: WrittenArgument, place: Place): Argument
}

export function createArgumentReader(language: GrammarLanguage, symbols: readonly Declaration[]): ArgumentReader {
  const reader = createValueReader(language, symbols)
  /** Values of variables whose type is written. */
  const declared = new WeakSet<Value>()
  return { ...reader, valueOfVariable, argumentOf }

  function valueOfVariable(variable: Variable & Pick<Parameter, 'isRest'>, place: Place): Value {
    const { type, init, isElement, by, isRest } = variable
    const value = reader.valueOfVariable(variable, place)
    if (!language.arguments || value === UNKNOWN || isElement || by !== undefined || isRest) return value
    // Another object than the value of the variable that it may come from.
    const own = [...value] as unknown as Value
    if (type || (init && writtenIn(init, place)?.value)) declared.add(own)
    return own
  }

  function argumentOf({ node, label }: WrittenArgument, place: Place): Argument {
    const { value, isFixed } = writtenIn(node, place) ?? {}
    return {
      ...(label !== undefined && { label }),
      ...(value && value !== UNKNOWN && { value }),
      ...(isFixed && { isFixed }),
    }
  }

  /** The value of an expression whose type is written; operators and alternatives have none. */
  function writtenIn(node: Node, place: Place): Argument | undefined {
    const [only, ...others] = node.namedChildren
    if (only && others.length === 0 && (/^[-+]\s*[.\d]/.test(node.text) || node.type === 'parenthesized_expression'))
      return writtenIn(only, place)
    const found = expressionOf(language, node)
    if (found?.is === 'literal') return { value: ['instance', ['name', found.type]], isFixed: true }
    if (!found || language.hasPointers) return undefined
    switch (found.is) {
      case 'new':
        return { value: reader.valueOfType(found.type), isFixed: true }
      case 'typed':
        return { value: reader.valueOfType(found.type) }
      case 'name':
        return named(found.name, place)
      case 'member':
      case 'call':
        return { value: reader.valueOf(node, place) }
      default:
        return undefined
    }
  }

  function named(name: string, { names, implicit }: Place): Argument | undefined {
    const known = names.get(name)
    if (known && known[0] !== 'symbol') return declared.has(known) ? { value: known } : undefined
    return implicit.length === 0 ? { value: known ?? ['name', name] } : undefined
  }
}
