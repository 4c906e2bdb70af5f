import { parseModel } from '../../model/parse-model.ts'
import { namesAround } from '../../model/names-around.ts'
import { isConstructorName } from '../resolve/call-targets.ts'
import type { OtherName } from '../../../languages/import-facts.ts'

/** Names of the symbols that a change of one file touched. */
interface ChangedSymbols {
  /** Symbols with a different text, bodies included. */
  readonly touched: ReadonlySet<string>
  /** Symbols that look different from outside, or are gone. */
  readonly reshaped: ReadonlySet<string>
}

export async function changedSymbols(path: string, before: string, after: string): Promise<ChangedSymbols> {
  const [old, now] = await Promise.all([symbolsIn(path, before), symbolsIn(path, after)])
  const touchedNames = new Set<string>()
  const reshapedNames = new Set<string>()
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [one, other] = [old.get(key), now.get(key)]
    const name = one?.name ?? other?.name ?? ''
    if (one?.text !== other?.text) touchedNames.add(name)
    if (one?.shape !== other?.shape) reshapedNames.add(name)
  }
  return { touched: touchedNames, reshaped: reshapedNames }
}

interface Shown {
  readonly name: string
  readonly text: string
  readonly shape: string
}

/** Symbols by qualified name; overloads together. */
async function symbolsIn(path: string, text: string): Promise<ReadonlyMap<string, Shown>> {
  const code = await parseModel(path, Buffer.from(text))
  const symbolsByName = new Map<string, Shown>()
  if (!code) return symbolsByName
  const lines = text.split('\n')
  const around = namesAround(code.symbols)
  for (const symbol of code.symbols) {
    if (symbol.kind === 'test' || symbol.name === '') continue
    const key = [...around(symbol), symbol.name].join('.')
    const before = symbolsByName.get(key)
    const symbolText = lines.slice(symbol.from - 1, symbol.to).join('\n')
    // A symbol without a body is visible from outside as a whole.
    const shape = HAS_BODY.has(symbol.kind) ? symbol.signature : symbolText
    symbolsByName.set(key, {
      // Callers of a constructor write the name of its class.
      name: isConstructorName(code.language, symbol.name)
        ? (code.symbols[symbol.parent]?.name ?? symbol.name)
        : symbol.name,
      text: `${before?.text ?? ''}${symbolText}`,
      shape: `${before?.shape ?? ''}${symbol.exported}${shape}`,
    })
  }
  return symbolsByName
}

const HAS_BODY = new Set<string>(['function', 'method', 'class'])

/** Maps each other name to the names it finally stands for, across any number of files. */
export function namesFor(names: ReadonlySet<string>, others: readonly OtherName[]): ReadonlyMap<string, string> {
  const realNames = new Map<string, string>()
  const byOf = Map.groupBy(others, ({ of }) => of)
  const open = [...names].map(name => ({ name, of: name }))
  for (let next = open.pop(); next; next = open.pop())
    for (const { name } of byOf.get(next.name) ?? []) {
      if (realNames.has(name) || names.has(name)) continue
      realNames.set(name, next.of)
      open.push({ name, of: next.of })
    }
  return realNames
}
