import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeName } from '../../model/whole-name.ts'
import type { CodeSymbol } from '../../../languages/file-model/code-symbol.ts'
import type { Visibility } from './answer.ts'
import type { FoundFile } from './entry.ts'
import { createFileTable } from './file-table.ts'
import { packSymbols } from './packed-symbols.ts'
import { visibleSymbols } from './visible-symbols.ts'

const NAMES = ['Cart', 'cart', 'total', 'Total', 'subtotal', 'id', 'a.b']
const PATHS = ['a.ts', 'b.ts', 'dir/a.ts', 'dir/b.ts', 'z.go']

const symbolsOf = fc.array(
  fc.record({ name: fc.constantFrom(...NAMES), outer: fc.option(fc.constantFrom(...NAMES)), from: fc.nat(3) }),
  { maxLength: 4 },
)
const file = fc.record({ path: fc.constantFrom(...PATHS), symbols: fc.option(symbolsOf) })
const question = fc.record({
  query: fc.constantFrom(...NAMES, '', '.', 'to', 'TO', 'Cart.to', 'cart.total', 'otal', 'missing'),
  limit: fc.constantFrom(1, 2, 3, 100),
  hidden: fc.option(fc.constantFrom(...PATHS)),
  staged: fc.option(file),
})

const symbolOf = ({ name, outer, from }: { name: string; outer: string | null; from: number }): CodeSymbol => ({
  name,
  kind: 'function',
  from,
  to: from,
  within: outer === null ? [] : [outer],
  exported: false,
})

const foundFile = (path: string, symbols: readonly CodeSymbol[]): FoundFile => ({
  path,
  size: 1,
  mtimeMs: 1,
  content: '',
  facts: { language: 'x', exports: [], stars: [], tags: [], symbols: packSymbols(symbols) },
})

/** Looks at every symbol of every file. */
function lookedThrough(files: ReadonlyMap<string, readonly CodeSymbol[]>, query: string, limit: number): string[] {
  const all = [...files].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const keys = (matches: (symbol: CodeSymbol) => boolean) =>
    all.flatMap(([path, symbols]) => symbols.filter(matches).map(each => `${path}:${each.from} ${wholeName(each)}`))
  const isExact = (each: CodeSymbol) => (each.name === query && !query.includes('.')) || wholeName(each) === query
  const holds = (each: CodeSymbol) => wholeName(each).toLowerCase().includes(query.toLowerCase())
  // A name with a dot of its own is found by the part behind it.
  const exact = keys(each => isExact(each) && each.name === query.slice(query.lastIndexOf('.') + 1))
  return [...new Set([...exact, ...keys(holds)])].slice(0, limit)
}

it('finds the symbols that looking through all files finds, while files come, change and go', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(file, question), { maxLength: 25 }), steps => {
      const table = createFileTable()
      const files = new Map<string, readonly CodeSymbol[]>()
      for (const step of steps) {
        if ('path' in step) {
          const symbols = step.symbols?.map(symbolOf)
          if (symbols) table.put(foundFile(step.path, symbols))
          else table.remove(step.path)
          if (symbols) files.set(step.path, symbols)
          else files.delete(step.path)
          continue
        }
        const { query, limit, hidden, staged } = step
        const over = staged?.symbols?.map(symbolOf)
        const seen = new Map(files)
        if (staged && over) seen.set(staged.path, over)
        else if (staged) seen.delete(staged.path)
        if (hidden !== null) seen.delete(hidden)
        const sight: Visibility = {
          ...(hidden !== null && { leaveOut: new Set([hidden]) }),
          ...(staged && {
            staged: over ? { files: [foundFile(staged.path, over)], gone: [] } : { files: [], gone: [staged.path] },
          }),
        }
        const found = visibleSymbols(table, query, { limit, sight })
        expect(found.map(each => `${each.path}:${each.from} ${wholeName(each)}`)).toEqual(
          lookedThrough(seen, query, limit),
        )
      }
    }),
    { numRuns: process.env['TOOLWRIGHT_LONG'] === '1' ? 5000 : 500 },
  )
})
