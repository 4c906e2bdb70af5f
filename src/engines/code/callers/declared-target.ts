import type { CodeSymbol, IndexEngine } from '../../index/types.ts'
import { KIND } from '../servers/lsp-words.ts'
import type { Declared } from '../types.ts'
import type { FileLooks } from './file-looks.ts'
import { headOf } from './head-of.ts'
import type { Named } from './named.ts'

const KINDS = new Map<number, CodeSymbol['kind']>([
  [KIND.class, 'class'],
  [KIND.struct, 'class'],
  [KIND.interface, 'interface'],
  [KIND.enum, 'enum'],
  [KIND.method, 'method'],
  [KIND.constructor, 'method'],
  [KIND.function, 'function'],
  [KIND.namespace, 'module'],
  [KIND.module, 'module'],
])

/** A symbol as the server places it; what the index knows besides is put with it. */
export async function declaredTarget(
  named: Named,
  path: string,
  looks: FileLooks,
  index: Pick<IndexEngine, 'facts'>,
): Promise<Declared> {
  const from = named.range.start.line + 1
  const to = named.range.end.line + 1
  const facts = await index.facts(path)
  const known = facts?.symbols.find(one => one.name === named.plain && one.from <= to && one.to >= from)
  const lines = looks.lines(path).slice(from - 1, to)
  return {
    name: named.plain,
    kind: known?.kind ?? KINDS.get(named.kind) ?? 'variable',
    from: known?.from ?? from,
    to: known?.to ?? to,
    within: known?.within ?? named.name.split('.').slice(0, -1),
    exported: known?.exported ?? false,
    path,
    signature: headOf(path, lines.join('\n')),
  }
}
