import { publishedDiagnostics, type Diagnostic } from './lsp-schemas.ts'

/** What a server says of open documents unasked, each for one version of its text. */
interface PushedDiagnostics {
  note(params: unknown): void
  /** Undefined while it has said nothing of this version. */
  of(uri: string, version: number): readonly Diagnostic[] | undefined
}

/** Only the last word on each document is kept; one without a version is about a text that nobody knows. */
export function pushedDiagnostics(): PushedDiagnostics {
  const said = new Map<string, { readonly version: number; readonly diagnostics: readonly Diagnostic[] }>()
  return {
    note(params) {
      const { data } = publishedDiagnostics.safeParse(params)
      if (!data) return
      const { uri, version, diagnostics } = data
      if (version === null || version === undefined) said.delete(uri)
      else said.set(uri, { version, diagnostics: diagnostics.map(plain) })
    },
    of(uri, version) {
      const last = said.get(uri)
      return last?.version === version ? last.diagnostics : undefined
    },
  }
}

/** Without notes on other places below it, and without the offer to mend it. */
const plain = (one: Diagnostic): Diagnostic => {
  const [message = ''] = one.message.split('\n\n')
  return { ...one, message: message.replace(/ \((?:\d+ )?fix(?:es)? available\)$/, '') }
}
