import type { Node } from 'web-tree-sitter'
import type { Value } from '../../../languages/file-model/file-model.ts'
import type { GrammarLanguage, Variable } from '../../../languages/grammar/grammar-language.ts'
import { openScope } from './names.ts'
import type { Place, ValueReader } from './values.ts'

/** Values that calls pass to their lambdas, which tell more than a parameter without a type. */
export function createLambdas(language: GrammarLanguage, reader: ValueReader) {
  const valuesById = new Map<number, { readonly implicit?: Value; readonly first?: Value }>()
  const passedValues = new WeakSet<Value>()
  return {
    /** Records the values that a call passes to its lambda. */
    note(call: Node, place: Place): void {
      const scope = language.lambdaScope?.(call)
      if (!scope) return
      const first = scope.first && reader.valueOf(scope.first.value, place)
      const { receivedBy } = scope
      valuesById.set(scope.lambda.id, {
        ...(receivedBy && { implicit: ['handed', reader.valueOf(receivedBy, place), -1, -1] }),
        ...(scope.implicit && { implicit: reader.valueOf(scope.implicit, place) }),
        ...(first && { first: scope.first?.isElement ? (['element', first] as const) : first }),
      })
    },
    /** The place inside of a lambda. */
    inside<P extends Place>(node: Node, place: P): P {
      const more = valuesById.size > 0 ? valuesById.get(node.id) : undefined
      if (!more) return place
      const names = openScope(place.names)
      if (more.first) {
        names.set(firstName(node), more.first)
        passedValues.add(more.first)
      }
      return { ...place, names, implicit: more.implicit ? [...place.implicit, more.implicit] : place.implicit }
    },
    /** Reports whether a call tells the value of a variable without a type. */
    isGiven(variable: Variable, place: Place): boolean {
      const before = place.names.get(variable.name)
      return before !== undefined && passedValues.has(before) && !variable.type && !variable.init
    },
  }

  function firstName(lambda: Node): string {
    const variables = [lambda, ...lambda.namedChildren].flatMap(each =>
      each && Object.hasOwn(language.variables, each.type) ? (language.variables[each.type]?.(each) ?? []) : [],
    )
    return variables[0]?.name ?? language.implicitParameter ?? ''
  }
}
