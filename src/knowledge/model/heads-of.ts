import { once } from '../../kernel/once.ts'
import type { CodeSymbol } from '../../languages/file-model/code-symbol.ts'
import { headOf } from './head-of.ts'
import { parseModel } from './parse-model.ts'
import type { FileModel } from '../../languages/file-model/file-model.ts'

type Placed = Pick<CodeSymbol, 'name' | 'within' | 'from' | 'to'>

/** A head is read from at most this many lines. */
const LINES = 100

/**
 * Returns the head of each symbol of a file on one line. Reads it from the line if possible; parses the file only if a
 * line has several symbols, or begins with something else.
 */
export function headsOf(path: string, text: string, all: readonly Placed[]): (symbol: Placed) => Promise<string> {
  const lines = text.split(/\r?\n/)
  const onLine = new Map<number, number>()
  for (const { from } of all) onLine.set(from, (onLine.get(from) ?? 0) + 1)
  const loadSymbols = once(async () => {
    const model = await parseModel(path, Buffer.from(text))
    return {
      model: Map.groupBy(model?.symbols ?? [], each => keyOf(each, holderOf(model, each.parent))),
      places: places(),
    }
  })
  return async symbol => {
    const { from, to, name } = symbol
    const head = headOf(path, withoutDecorators(lines.slice(from - 1, Math.min(to, from + LINES)).join('\n')))
    if ((onLine.get(from) ?? 0) < 2 && head.includes(name)) return head
    const { model, places: modelPlaces } = await loadSymbols()
    // Symbols of the same name and parent have the same order in both.
    return model.get(keyOf(symbol, symbol.within.at(-1) ?? ''))?.[modelPlaces.get(symbol) ?? 0]?.signature || head
  }

  /** For each symbol, the number of earlier ones of its name in the same parent. */
  function places(): ReadonlyMap<Placed, number> {
    const groups = Map.groupBy(all, each => keyOf(each, each.within.at(-1) ?? ''))
    return new Map([...groups.values()].flatMap(group => group.map((each, place) => [each, place] as const)))
  }
}

/** Removes the decorator lines before it, as far as brackets tell. */
function withoutDecorators(text: string): string {
  let from = 0
  for (let start = DECORATOR.exec(text); start; start = DECORATOR.exec(text.slice(from))) {
    let at = from + start[0].length
    for (let depth = text[at] === '(' ? 1 : 0; depth > 0 && at < text.length;) {
      const character = text[++at]
      depth += character === '(' ? 1 : character === ')' ? -1 : 0
      if (depth === 0) at++
    }
    const end = /^[ \t]*(?:#.*)?\r?\n/.exec(text.slice(at))
    if (!end) break
    from = at + end[0].length
  }
  return text.slice(from)
}

const DECORATOR = /^[ \t]*@[\w.]+/

const keyOf = ({ name, from }: Pick<Placed, 'name' | 'from'>, holder: string): string => `${from} ${name} ${holder}`

/** The name of the nearest named symbol around it. */
function holderOf(code: FileModel | undefined, number: number): string {
  let holder = code?.symbols[number]
  while (holder?.name === '') holder = code?.symbols[holder.parent]
  return holder?.name ?? ''
}
