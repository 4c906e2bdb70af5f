import { wordOf } from '../../../../languages/file-model/word-of.ts'
import type { Operation } from '../../../model/usage/operations.ts'
import type { ClassAt } from '../classes/class-tree.ts'
import type { UseParts } from '../mentions.ts'
import { hoveredType, isOpenType, isPlainType } from './hovered-type.ts'

/**
 * Returns a judge of whether library code may call a method of a class on what it is given: `it` if the type names one
 * of the classes, `open` if the type is unknown in a file that knows the class.
 */
export function elementJudge(
  { server, looks }: UseParts,
  classes: readonly ClassAt[],
  knowsIt: (path: string) => boolean,
) {
  const names = classes.map(({ named }) => named.plain)
  const words = names.map(name => wordOf(name))
  return async (
    { path }: { readonly path: string },
    { elements = [], isContainer }: Pick<Operation, 'elements' | 'isContainer'>,
  ): Promise<'it' | 'open' | 'other'> => {
    let isOpen = false
    for (const at of elements) {
      const type = hoveredType(await server.hover(path, looks.source(path).positionOf(at)))
      const isItself = isContainer === true && isPlainType(type, names)
      if (!isItself && words.some(word => word.test(type))) return 'it'
      isOpen ||= isOpenType(type)
    }
    return isOpen && knowsIt(path) ? 'open' : 'other'
  }
}
