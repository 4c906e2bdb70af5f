import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'

/** The symbols of one file as one string: a hundred thousand files have millions of symbols. */
export type PackedSymbols = string

const KINDS = ['function', 'method', 'class', 'interface', 'type', 'enum', 'variable', 'module'] as const

/** A name may be any string literal; control characters are our separators. */
const CONTROL = /\p{Cc}/gu
const clean = (name: string): string => (name.search(CONTROL) < 0 ? name : name.replaceAll(CONTROL, ' '))

export function packSymbols(symbols: readonly CodeSymbol[]): PackedSymbols {
  const open: string[] = []
  let packedText = ''
  for (const { name: rawName, kind, from, to, within: outer, exported } of symbols) {
    const name = clean(rawName)
    // Outer symbols come first, so the containers of one are the names still open, cut to its depth.
    open.length = Math.min(open.length, outer.length)
    const isNested = isOpen(open, outer)
    const around = isNested ? outer.length : `=${outer.map(clean).join('\u0002')}`
    open.push(name)
    packedText += `${packedText === '' ? '' : '\n'}${name}\u0001${KINDS.indexOf(kind)}\u0001${from}\u0001${to}\u0001${around}\u0001${exported ? 1 : 0}`
  }
  return packedText
}

function isOpen(open: readonly string[], outer: readonly string[]): boolean {
  for (const [at, name] of outer.entries()) if (open[at] !== name && open[at] !== clean(name)) return false
  return true
}

export function unpackSymbols(packedSymbols: PackedSymbols): CodeSymbol[] {
  if (packedSymbols === '') return []
  const open: string[] = []
  return packedSymbols.split('\n').map(line => {
    const [name = '', kind = '0', from = '1', to = '1', around = '0', exportFlag = '0'] = line.split('\u0001')
    const within = around.startsWith('=') ? around.slice(1).split('\u0002') : open.slice(0, Number(around))
    open.length = Math.min(open.length, within.length)
    open.push(name)
    return {
      name,
      kind: KINDS[Number(kind)] ?? 'variable',
      from: Number(from),
      to: Number(to),
      within,
      exported: exportFlag === '1',
    }
  })
}

/** The lines of each symbol in order, with its container among them, or -1. Made without a string for each. */
export interface SymbolLines {
  readonly from: Int32Array
  readonly to: Int32Array
  readonly container: Int32Array
  /** Where each symbol begins in the packed text. */
  readonly start: Int32Array
}

export function symbolLines(packedSymbols: PackedSymbols): SymbolLines {
  const start: number[] = []
  for (let at = 0; at < packedSymbols.length; at = packedSymbols.indexOf('\n', at) + 1 || packedSymbols.length)
    start.push(at)
  const size = start.length
  const lines = {
    from: new Int32Array(size),
    to: new Int32Array(size),
    container: new Int32Array(size),
    start: Int32Array.from(start),
  }
  const open: number[] = []
  for (const [index, at] of start.entries()) {
    // The kind is one digit.
    const from = packedSymbols.indexOf('\u0001', at) + 3
    const to = packedSymbols.indexOf('\u0001', from) + 1
    const around = packedSymbols.indexOf('\u0001', to) + 1
    const spelledNames = spelledAround(packedSymbols, around)
    lines.from[index] = numberAt(packedSymbols, from)
    lines.to[index] = numberAt(packedSymbols, to)
    open.length = Math.min(open.length, spelledNames?.length ?? numberAt(packedSymbols, around))
    lines.container[index] = open.at(-1) ?? -1
    open.push(index)
  }
  return lines
}

/** Returns the name of a symbol with its containers: `Cart.add`. */
export function qualifiedName(packedSymbols: PackedSymbols, { start, container }: SymbolLines, index: number): string {
  const names: string[] = []
  for (let at = index; at >= 0; at = container[at] ?? -1) {
    const [begin = 0] = [start[at]]
    const end = packedSymbols.indexOf('\u0001', begin)
    names.unshift(packedSymbols.slice(begin, end))
    const around = packedSymbols.indexOf('\u0001', packedSymbols.indexOf('\u0001', end + 3) + 1) + 1
    const spelledNames = at === index ? spelledAround(packedSymbols, around) : undefined
    if (spelledNames) return [...spelledNames, ...names].join('.')
  }
  return names.join('.')
}

function spelledAround(packed: PackedSymbols, at: number): readonly string[] | undefined {
  return packed[at] === '=' ? packed.slice(at + 1, packed.indexOf('\u0001', at)).split('\u0002') : undefined
}

function numberAt(packed: PackedSymbols, at: number): number {
  let value = 0
  for (let next = at, code = packed.charCodeAt(next); code >= 48 && code < 58; code = packed.charCodeAt(++next))
    value = value * 10 + code - 48
  return value
}

/** Returns each name once. */
export function symbolNames(packedSymbols: PackedSymbols): ReadonlySet<string> {
  const names = new Set<string>()
  if (packedSymbols === '') return names
  for (const line of packedSymbols.split('\n')) names.add(line.slice(0, line.indexOf('\u0001')))
  return names
}

/** Returns each container once that is not among the symbols before, such as a class of another file. */
export function namesAround(packedSymbols: PackedSymbols): ReadonlySet<string> {
  const names = new Set<string>()
  for (let at = packedSymbols.indexOf('\u0001='); at >= 0; at = packedSymbols.indexOf('\u0001=', at + 1))
    for (const name of packedSymbols.slice(at + 2, packedSymbols.indexOf('\u0001', at + 2)).split('\u0002'))
      names.add(name)
  return names
}
