import type { Usage } from '../../../languages/file-model/usage.ts'
import { oncePer } from '../../../kernel/once.ts'
import { EMPTY_MODEL, type FileModel } from '../../../languages/file-model/file-model.ts'
import { parseModel } from '../../model/parse-model.ts'
import { askParser } from '../../parser/ask-parser.ts'
import type { ServerClient } from '../servers/types.ts'
import { rangeKey, type Position, type Range } from '../servers/lsp-schemas.ts'
import { sourceOf, type Source } from '../source.ts'
import { namedSymbols, type NamedSymbol } from './named-symbol.ts'

/** Facts about files for one question; each file is read once. */
export interface FileQueries {
  named(path: string): Promise<readonly NamedSymbol[]>
  /** The symbol whose name is at exactly this range. */
  namedAt(path: string, selection: Range): Promise<NamedSymbol | undefined>
  /** The usage of the name at each place, in order; `other` in a file that does not parse. */
  usages(path: string, places: readonly Position[]): Promise<readonly Usage[]>
  source(path: string): Source
  model(path: string): Promise<FileModel>
}

export function fileQueries(server: ServerClient, read: (path: string) => string | undefined): FileQueries {
  const sources = oncePer((path: string) => sourceOf(path, read(path) ?? ''))
  const symbolsIn = oncePer(async (path: string) => namedSymbols(await server.outline(path)))
  const places = oncePer(async (path: string) => {
    const byKey = new Map<string, NamedSymbol>()
    for (const each of await symbolsIn(path)) if (!byKey.has(keyOf(each))) byKey.set(keyOf(each), each)
    return byKey
  })
  const usageCache = oncePer((_path: string) => new Map<number, Usage>())
  return {
    named: symbolsIn,
    namedAt: async (path, selection) => (await places(path)).get(rangeKey(selection)),
    async usages(path, positions) {
      const source = sources(path)
      const usages = usageCache(path)
      const offsets = positions.map(source.offsetOf)
      const at = [...new Set(offsets)].filter(offset => !usages.has(offset))
      if (at.length > 0) {
        const reply = await askParser({ job: 'usages', path, content: source.text, at })
        const parsedUsages = 'value' in reply ? (reply.value as readonly Usage[]) : []
        for (const [number, offset] of at.entries()) usages.set(offset, parsedUsages[number] ?? { role: 'other' })
      }
      return offsets.map(offset => usages.get(offset) ?? { role: 'other' })
    },
    source: sources,
    model: oncePer(
      async (path: string) =>
        (await parseModel(path, Buffer.from(sources(path).text))) ?? { language: '', ...EMPTY_MODEL },
    ),
  }
}

const keyOf = ({ selection }: NamedSymbol): string => rangeKey(selection)
