import type { AskedServer } from '../servers/types.ts'
import { rangeKey, type Outlined, type Range } from '../servers/lsp-words.ts'
import { broughtNames, type BroughtNames } from './brought-names.ts'
import { namedIn, type Named } from './named.ts'

/** What one question learns of files, each looked at once. */
export interface FileLooks {
  outline(path: string): Promise<readonly Outlined[]>
  named(path: string): Promise<readonly Named[]>
  /** The one whose name is written exactly there. */
  namedAt(path: string, selection: Range): Promise<Named | undefined>
  brought(path: string): Promise<BroughtNames>
  /** Whether the file may take something out of a module that it imports while it runs. */
  takes(path: string): boolean
  lines(path: string): readonly string[]
}

export function fileLooks(server: AskedServer, read: (path: string) => string | undefined): FileLooks {
  const texts = remembered((path: string) => read(path))
  const outlines = remembered((path: string) => server.outline(path))
  const named = remembered(async (path: string) => namedIn(await outlines(path)))
  const places = remembered(async (path: string) => {
    const found = new Map<string, Named>()
    for (const each of await named(path)) if (!found.has(keyOf(each))) found.set(keyOf(each), each)
    return found
  })
  const lines = remembered((path: string) => texts(path)?.split(/\r?\n/) ?? [])
  return {
    outline: outlines,
    named,
    namedAt: async (path, selection) => (await places(path)).get(rangeKey(selection)),
    brought: remembered((path: string) => broughtNames(path, texts(path) ?? '')),
    takes: remembered((path: string) => /\bimport\s*\(/.test(texts(path) ?? '')),
    lines,
  }
}

const keyOf = ({ selection }: Named): string => rangeKey(selection)

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
