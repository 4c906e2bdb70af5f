import { parseSync } from 'oxc-parser'

/** What a script imports by its syntax. */
export interface ScriptRequests {
  readonly requests: readonly string[]
  readonly hasModuleSyntax: boolean
}

export function scriptRequests(path: string, text: string): ScriptRequests {
  const { staticImports, staticExports, hasModuleSyntax } = parseSync(path, text).module
  return {
    requests: [
      ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
      ...staticExports.flatMap(({ entries }) => entries.flatMap(one => one.moduleRequest?.value ?? [])),
    ],
    hasModuleSyntax,
  }
}
