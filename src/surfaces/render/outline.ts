import { sanitize } from '../../kernel/sanitize.ts'
import { highlightLine } from './highlight.ts'
import type { Style } from './paint.ts'
import { numberAt, pathAt, textAt, type Fields } from './shape.ts'

interface Declared {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Renders the declarations of files: the lines and head of each, members below their container. */
export function outlineLines(symbols: readonly Fields[], style: Style): string[] {
  const { paint } = style
  const files = Map.groupBy(symbols, symbol => pathAt(symbol) ?? '')
  return [...files].flatMap(([path, own], at) => {
    const declarations = own.map(declaredIn).toSorted((one, other) => one.from - other.from || other.to - one.to)
    const width = Math.max(...declarations.map(each => rangeOf(each).length))
    const lines = declarations.map(each => {
      const { from, to, text } = each
      const depth = declarations.filter(
        other => other.from <= from && other.to >= to && other.to - other.from > to - from,
      )
      return `${paint('green', rangeOf(each).padEnd(width))}  ${'  '.repeat(depth.length)}${highlightLine(text, style)}`
    })
    return [...(at > 0 ? [''] : []), ...(path === '' ? [] : [paint('bold', sanitize(path))]), ...lines]
  })
}

const rangeOf = ({ from, to }: Declared): string => (from === to ? String(from) : `${from}-${to}`)

function declaredIn(symbol: Fields): Declared {
  const from = numberAt(symbol, 'from', 'startLine') ?? 0
  const name = textAt(symbol, 'name') ?? ''
  const head = (textAt(symbol, 'signature') ?? '').replaceAll(/\s+/g, ' ')
  const text = head === '' ? `${textAt(symbol, 'kind') ?? ''} ${name}`.trim() : head
  return { from, to: numberAt(symbol, 'to', 'endLine') ?? from, text }
}
