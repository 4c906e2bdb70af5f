import { rangeKey, type Location, type Position } from '../servers/lsp-words.ts'
import type { AskedServer } from '../servers/types.ts'
import type { FileLooks } from './file-looks.ts'
import type { RequiredUses } from './required/required-of.ts'

export interface UseParts {
  readonly server: AskedServer
  readonly looks: FileLooks
  readonly mayRead: (path: string) => boolean
}

export interface CallParts extends UseParts {
  readonly required: RequiredUses
}

/** Every place where a name is written, also under a name that an import gives it. */
export async function mentions(
  from: string,
  positions: readonly Position[],
  { server, looks, mayRead }: UseParts,
  options: { readonly declarations?: boolean } = {},
): Promise<readonly Location[]> {
  const found = new Map<string, Location>()
  const asked = new Set<string>()
  const open = positions.map(position => ({ path: from, position }))
  for (let next = open.pop(); next; next = open.pop()) {
    const key = `${next.path} ${next.position.line}:${next.position.character}`
    if (asked.has(key)) continue
    asked.add(key)
    const byPath = new Map<string, Position[]>()
    for (const place of await server.references(next.path, next.position, options)) {
      found.set(`${place.uri} ${rangeKey(place.range)}`, place)
      const path = server.pathOf(place.uri)
      if (path === undefined || !mayRead(path)) continue
      byPath.set(path, [...(byPath.get(path) ?? []), place.range.start])
    }
    for (const [path, places] of byPath)
      for (const { role, alias } of await looks.usages(path, places))
        if (role === 'import' && alias !== undefined)
          open.push({ path, position: looks.source(path).positionOf(alias) })
  }
  return [...found.values()]
}
