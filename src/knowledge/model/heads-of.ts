import type { CodeSymbol } from './code-symbol.ts'
import { headOf } from './head-of.ts'
import { parseModel } from './parse-model.ts'
import type { FileModel } from './file-model.ts'

type Placed = Pick<CodeSymbol, 'name' | 'within' | 'from' | 'to'>

/**
 * Tells the head of each symbol of a file on one line. Where the line says it, that is read; the file is parsed only
 * where a line has more than one of them, or begins with something else.
 */
export function headsOf(path: string, text: string, all: readonly Placed[]): (symbol: Placed) => Promise<string> {
  const lines = text.split(/\r?\n/)
  const onLine = new Map<number, number>()
  for (const { from } of all) onLine.set(from, (onLine.get(from) ?? 0) + 1)
  let code: Promise<FileModel | undefined> | undefined
  return async symbol => {
    const { from, to, name } = symbol
    const head = headOf(path, lines.slice(from - 1, to).join('\n'))
    if ((onLine.get(from) ?? 0) < 2 && head.includes(name)) return head
    const parsed = await (code ??= parseModel(path, Buffer.from(text)))
    const alike = (parsed?.symbols ?? []).filter(
      each =>
        each.name === name && each.from === from && holderOf(parsed, each.parent) === (symbol.within.at(-1) ?? ''),
    )
    // Those of one name in one place are in the same order in both.
    const before = all.filter(each => keyOf(each) === keyOf(symbol))
    return alike[Math.max(0, before.indexOf(symbol))]?.signature || head
  }
}

const keyOf = ({ name, from, within }: Placed): string => `${from} ${name} ${within.at(-1) ?? ''}`

/** The name of what stands around it, the nearest that has one. */
function holderOf(code: FileModel | undefined, number: number): string {
  const holder = code?.symbols[number]
  return holder?.name === '' ? holderOf(code, holder.parent) : (holder?.name ?? '')
}
