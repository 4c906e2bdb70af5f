import type * as lsp from 'vscode-languageserver-protocol'
import { extensionOf, languageAt } from '../../../languages/registry.ts'
import type { Connection } from './connection.ts'
import type { ServerUris } from './server-uris.ts'

/** The open documents of a server: staged files, and files that it would not read otherwise. */
interface Documents {
  /** Opens, changes and closes documents until exactly these are open with these texts. Returns those that differed. */
  hold(texts: ReadonlyMap<string, string>): readonly string[]
  /** Closes documents, so that the server rereads them when they are opened again. */
  close(paths: Iterable<string>): void
  isOpen(path: string): boolean
  /** Changes with every text of a document, also after closing; undefined if it is not open. */
  versionOf(path: string): number | undefined
  /** Notifies the server of files created, changed or removed on disk. */
  tell(changes: readonly { readonly path: string; readonly type: 'made' | 'changed' | 'gone' }[]): void
}

const TYPES = { made: 1, changed: 2, gone: 3 } as const

/**
 * `reopens` replaces a change by closing and opening, for a server that answers before it applies a change. `changes`
 * opens a document and then changes it to its text.
 */
export function createDocuments(
  connection: Pick<Connection, 'notify'>,
  places: ServerUris,
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
          const newText = texts.get(path)
          return newText === undefined || (reopens && newText !== text) ? [path] : []
        }),
      )
      return [...texts].flatMap(([path, text]) => (put(path, text) ? [path] : []))
    },
    close,
    tell(changes) {
      if (changes.length === 0) return
      connection.notify('workspace/didChangeWatchedFiles', {
        changes: changes.map(({ path, type }) => ({ uri: places.uriOf(path), type: TYPES[type] })),
      } satisfies lsp.DidChangeWatchedFilesParams)
    },
  }

  function close(paths: Iterable<string>): void {
    for (const path of paths) if (open.delete(path)) closeDocument(places.uriOf(path))
  }

  function closeDocument(uri: string): void {
    connection.notify('textDocument/didClose', { textDocument: { uri } } satisfies lsp.DidCloseTextDocumentParams)
  }

  function put(path: string, text: string): boolean {
    const uri = places.uriOf(path)
    const openDocument = open.get(path)
    if (!openDocument) {
      const document = { version: ++versions, text }
      open.set(path, document)
      const textDocument = { uri, languageId: languageId(path), version: document.version, text }
      connection.notify('textDocument/didOpen', { textDocument } satisfies lsp.DidOpenTextDocumentParams)
      if (isChanged) change(uri, document)
      return true
    }
    if (openDocument.text === text) return false
    openDocument.text = text
    change(uri, openDocument)
    return true
  }

  function change(uri: string, document: { version: number; readonly text: string }): void {
    document.version = ++versions
    const { version, text } = document
    connection.notify('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text }],
    } satisfies lsp.DidChangeTextDocumentParams)
  }
}

const languageId = (path: string): string => {
  const { name, documentId } = languageAt(path)
  const extension = extensionOf(path)
  return documentId?.(extension) ?? (name === '' ? extension : name)
}
