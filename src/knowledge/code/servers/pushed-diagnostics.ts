import { publishedDiagnostics, type Diagnostic } from './lsp-schemas.ts'

/** Diagnostics that a server pushes for open documents, each for one version of the text. */
interface PushedDiagnostics {
  note(params: unknown): void
  /** Returns undefined if nothing arrived for this version. */
  of(uri: string, version: number): readonly Diagnostic[] | undefined
}

/** Keeps only the last notification for each document. Ignores one without a version: its text is unknown. */
export function pushedDiagnostics(): PushedDiagnostics {
  const lastByUri = new Map<string, { readonly version: number; readonly diagnostics: readonly Diagnostic[] }>()
  return {
    note(params) {
      const { data } = publishedDiagnostics.safeParse(params)
      if (!data) return
      const { uri, version, diagnostics } = data
      if (version === null || version === undefined) lastByUri.delete(uri)
      else lastByUri.set(uri, { version, diagnostics: diagnostics.map(plain) })
    },
    of(uri, version) {
      const last = lastByUri.get(uri)
      return last?.version === version ? last.diagnostics : undefined
    },
  }
}

/** Without related locations and fix data. */
const plain = (one: Diagnostic): Diagnostic => {
  const [message = ''] = one.message.split('\n\n')
  return { ...one, message: message.replace(/ \((?:\d+ )?fix(?:es)? available\)$/, '') }
}
