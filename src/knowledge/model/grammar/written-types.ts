import type { Node } from 'web-tree-sitter'
import type { Argument, Declaration, Value } from '../../../languages/file-model/file-model.ts'
import type {
  GrammarLanguage,
  Parameter,
  Variable,
  WrittenArgument,
} from '../../../languages/grammar/grammar-language.ts'
import { createValueReader, expressionOf, UNKNOWN, type Place, type ValueReader } from './values.ts'

/** A reader that also tells which types are written, by which overloads are told apart. */
export interface ArgumentReader extends ValueReader {
  argumentOf(argument: WrittenArgument, place: Place): Argument
}

export function createArgumentReader(language: GrammarLanguage, symbols: readonly Declaration[]): ArgumentReader {
  const reader = createValueReader(language, symbols)
  /** Values of variables whose type is written. */
  const writtenValues = new WeakSet<Value>()
  return { ...reader, valueOfVariable, argumentOf }

  function valueOfVariable(variable: Variable & Pick<Parameter, 'isRest'>, place: Place): Value {
    const { type, init, isElement, by, isRest } = variable
    const value = reader.valueOfVariable(variable, place)
    if (!language.arguments || value === UNKNOWN || isElement || by !== undefined || isRest) return value
    // Another object than the value of the variable that it may come from.
    const uniqueValue = [...value] as unknown as Value
    if (type || (init && writtenIn(init, place)?.value)) writtenValues.add(uniqueValue)
    return uniqueValue
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
    const expression = expressionOf(language, node)
    if (expression?.is === 'literal') return { value: ['instance', ['name', expression.type]], isFixed: true }
    if (!expression || language.hasPointers) return undefined
    switch (expression.is) {
      case 'new':
        return { value: reader.valueOfType(expression.type), isFixed: true }
      case 'typed':
        return { value: reader.valueOfType(expression.type) }
      case 'name':
        return argumentNamed(expression.name, place)
      case 'member':
      case 'call':
        return { value: reader.valueOf(node, place) }
      default:
        return undefined
    }
  }

  function argumentNamed(name: string, { names, implicit }: Place): Argument | undefined {
    const boundValue = names.get(name)
    if (boundValue && boundValue[0] !== 'symbol')
      return writtenValues.has(boundValue) ? { value: boundValue } : undefined
    return implicit.length === 0 ? { value: boundValue ?? ['name', name] } : undefined
  }
}
