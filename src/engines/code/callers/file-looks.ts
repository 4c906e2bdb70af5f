import type { AskedServer } from '../servers/types.ts'
import type { Outlined } from '../servers/lsp-words.ts'
import { broughtNames, type BroughtNames } from './brought-names.ts'
import { namedIn, type Named } from './named.ts'

/** What one question learns of files, each looked at once. */
export interface FileLooks {
  outline(path: string): Promise<readonly Outlined[]>
  named(path: string): Promise<readonly Named[]>
  brought(path: string): Promise<BroughtNames>
  lines(path: string): readonly string[]
}

export function fileLooks(server: AskedServer, read: (path: string) => string | undefined): FileLooks {
  const texts = remembered((path: string) => read(path))
  const outlines = remembered((path: string) => server.outline(path))
  const lines = remembered((path: string) => texts(path)?.split(/\r?\n/) ?? [])
  return {
    outline: outlines,
    named: remembered(async (path: string) => namedIn(await outlines(path))),
    brought: remembered((path: string) => broughtNames(path, texts(path) ?? '')),
    lines,
  }
}

function remembered<T>(find: (path: string) => T): (path: string) => T {
  const known = new Map<string, { readonly value: T }>()
  return path => {
    const before = known.get(path)
    if (before) return before.value
    const value = find(path)
    known.set(path, { value })
    return value
  }
}
