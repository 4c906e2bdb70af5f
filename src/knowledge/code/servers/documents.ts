import { languageOf } from '../../model/languages.ts'
import type { Connection } from './connection.ts'
import type { ServerPlaces } from './server-places.ts'

/** The documents that a server holds open: those that are staged, and those that it would not look at otherwise. */
interface Documents {
  /** Opens, changes and closes until exactly these are open with these texts; gives those that were not so before. */
  hold(texts: ReadonlyMap<string, string>): readonly string[]
  /** So that they are read anew when they are held again. */
  close(paths: Iterable<string>): void
  isOpen(path: string): boolean
  /** Another one for every text that a document had, also after it was closed; undefined if it is not open. */
  versionOf(path: string): number | undefined
  /** Files that were made, changed or removed on disk by whomever. */
  tell(changes: readonly { readonly path: string; readonly type: 'made' | 'changed' | 'gone' }[]): void
}

const TYPES = { made: 1, changed: 2, gone: 3 } as const

/**
 * With `reopens` a change is told by closing and opening, for a server that answers sooner than it takes a change in;
 * with `changes` a document is opened and then changed to what it is.
 */
export function createDocuments(
  connection: Pick<Connection, 'notify'>,
  places: ServerPlaces,
  { reopens = false, changes: isChanged = false }: { readonly reopens?: boolean; readonly changes?: boolean } = {},
): Documents {
  const open = new Map<string, { version: number; text: string }>()
  let versions = 0
  return {
    isOpen: path => open.has(path),
    versionOf: path => open.get(path)?.version,
    hold(texts) {
      close(
        [...open].flatMap(([path, { text }]) => {
          const wanted = texts.get(path)
          return wanted === undefined || (reopens && wanted !== text) ? [path] : []
        }),
      )
      return [...texts].flatMap(([path, text]) => (put(path, text) ? [path] : []))
    },
    close,
    tell(changes) {
      if (changes.length === 0) return
      connection.notify('workspace/didChangeWatchedFiles', {
        changes: changes.map(({ path, type }) => ({ uri: places.uriOf(path), type: TYPES[type] })),
      })
    },
  }

  function close(paths: Iterable<string>): void {
    for (const path of paths)
      if (open.delete(path)) connection.notify('textDocument/didClose', { textDocument: { uri: places.uriOf(path) } })
  }

  function put(path: string, text: string): boolean {
    const uri = places.uriOf(path)
    const known = open.get(path)
    if (!known) {
      const document = { version: ++versions, text }
      open.set(path, document)
      const textDocument = { uri, languageId: languageId(path), version: document.version, text }
      connection.notify('textDocument/didOpen', { textDocument })
      if (isChanged) change(uri, document)
      return true
    }
    if (known.text === text) return false
    known.text = text
    change(uri, known)
    return true
  }

  function change(uri: string, document: { version: number; readonly text: string }): void {
    document.version = ++versions
    const { version, text } = document
    connection.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] })
  }
}

const languageId = (path: string): string => {
  const extension = extensionOf(path)
  return `${languageOf(path) ?? extension}${/^[jt]sx$/.test(extension) ? 'react' : ''}`
}

export const extensionOf = (path: string): string => {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') ? path.slice(dot + 1).toLowerCase() : ''
}
