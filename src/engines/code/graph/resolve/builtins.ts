import type { Value } from '../../symbols/file-code.ts'
import type { Meaning, Meanings } from './meaning.ts'
import { symbolAt, type ProjectFile } from './project.ts'

const NONE: readonly Meaning[] = []
const LISTS =
  /^(Array|ReadonlyArray|Set|ReadonlySet|Iterable|IterableIterator|Iterator|Generator|AsyncIterable|AsyncGenerator|ArrayLike|WeakSet)$/
const MAPS = /^(Map|ReadonlyMap|WeakMap)$/
const SAME =
  /^(filter|slice|concat|reverse|toReversed|sort|toSorted|splice|toSpliced|flat|with|values|fill|copyWithin)$/
const ONE = /^(find|findLast|at|pop|shift|reduce|reduceRight)$/
const EACH = /^(map|forEach|filter|find|findIndex|findLast|findLastIndex|some|every|flatMap|sort|toSorted)$/

/** What one of many is: an item of a list, a value of a map. */
export function elementIn(meanings: Meanings, meaning: Meaning): readonly Meaning[] {
  if (meaning.kind === 'shape' && meaning.value[0] === 'list')
    return meaning.value[1] ? meanings.of(meaning.value[1], meaning.file) : NONE
  if (meaning.kind !== 'builtin') return NONE
  const part =
    meaning.args[LISTS.test(meaning.name) ? 0 : MAPS.test(meaning.name) || meaning.name === 'Record' ? 1 : -1]
  if (!part) return NONE
  // `for (const [key, value] of map)`: either is looked for among the values.
  return MAPS.test(meaning.name)
    ? [{ kind: 'shape', file: meaning.file, value: ['list', part] }]
    : meanings.of(part, meaning.file)
}

/** What a method of a list, map or promise gives. */
export function resultOfBuiltin(meanings: Meanings, meaning: Meaning, method: string): readonly Meaning[] {
  const isList =
    (meaning.kind === 'shape' && meaning.value[0] === 'list') ||
    (meaning.kind === 'builtin' && LISTS.test(meaning.name))
  if (isList) {
    if (SAME.test(method)) return [meaning]
    return ONE.test(method) ? elementIn(meanings, meaning) : NONE
  }
  if (meaning.kind !== 'builtin') return NONE
  const { name, args, file } = meaning
  if (MAPS.test(name)) {
    const value = args[1]
    if (!value) return NONE
    if (method === 'get') return meanings.of(value, file)
    return method === 'values' ? [{ kind: 'shape', file, value: ['list', value] }] : NONE
  }
  return name.startsWith('Promise') && /^(catch|finally)$/.test(method) ? [meaning] : NONE
}

/** What a function that is an argument gets as a parameter. */
export function handedBy(
  meanings: Meanings,
  [, callee, argument, parameter]: Extract<Value, readonly ['handed', ...unknown[]]>,
  file: ProjectFile,
): readonly Meaning[] {
  if (callee[0] === 'member') {
    const [, of, method] = callee
    for (const each of meanings.of(of, file).flatMap(meanings.settled)) {
      const element = method.startsWith('reduce')
        ? parameter === 1
        : EACH.test(method) && parameter <= (/ort/.test(method) ? 1 : 0)
      if (element && argument === 0) {
        const found =
          each.kind === 'builtin' && MAPS.test(each.name) ? ofMap(meanings, each) : elementIn(meanings, each)
        if (found.length > 0) return found
      }
      if (
        each.kind === 'builtin' &&
        each.name.startsWith('Promise') &&
        method === 'then' &&
        argument + parameter === 0
      ) {
        const [given] = each.args
        if (given) return meanings.of(given, each.file)
      }
    }
  }
  return meanings.of(callee, file).flatMap(each => {
    const at = each.kind === 'symbol' ? each.at : undefined
    const wanted = at && symbolAt(at)?.params?.[argument]
    if (!at || !wanted) return NONE
    return meanings
      .of(wanted, at.file)
      .flatMap(meanings.settled)
      .flatMap(given => {
        const type = given.kind === 'shape' && given.value[0] === 'function' ? given.value[2 + parameter] : undefined
        return given.kind === 'shape' && type && typeof type === 'object' ? meanings.of(type, given.file) : NONE
      })
  })
}

const ofMap = (meanings: Meanings, { args, file }: Meaning & { kind: 'builtin' }): readonly Meaning[] =>
  args[1] ? meanings.of(args[1], file) : NONE
