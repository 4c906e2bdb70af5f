import { decode } from './decode.ts'
import { languageOf } from './languages.ts'
import type { javascriptFacts } from './javascript/javascript-facts.ts'
import type { OwnFacts } from './own-facts.ts'

/** Above this a file is listed without facts: it is generated, and would hold up all others. */
export const LARGEST = 1 << 20

let javascript: { readonly javascriptFacts: typeof javascriptFacts } | undefined

/** What parsing one file says. A file that does not parse gives what could be read; undefined where its language is not known. */
export async function factsOf(path: string, bytes: Uint8Array): Promise<OwnFacts | undefined> {
  const language = languageOf(path)
  if (language === undefined) return undefined
  const nothing = { language, exports: [], stars: [], tags: [language], symbols: [] }
  if (bytes.length > LARGEST) return nothing
  const text = decode(bytes)
  // Named like source code, but binary.
  if (text.includes('\0')) return nothing
  switch (language) {
    case 'typescript':
    case 'javascript':
      return (javascript ??= await import('./javascript/javascript-facts.ts')).javascriptFacts(path, language, text)
    case 'vue':
      return (await import('./vue-facts.ts')).vueFacts(path, text)
    case 'css':
    case 'scss':
    case 'sass':
    case 'less':
      return { ...nothing, tags: [language, 'style'] }
    case 'c':
      return (await import('./grammar/grammar-facts.ts')).grammarFacts(
        path,
        isReallyCpp(path, text) ? 'cpp' : 'c',
        text,
      )
    default:
      return (await import('./grammar/grammar-facts.ts')).grammarFacts(path, language, text)
  }
}

/** Headers of C++ have the ending of C as well. */
export const isReallyCpp = (path: string, text: string): boolean =>
  /\.h$/i.test(path) &&
  /^\s*(namespace\s+[\w:]*\s*\{|class\s+\w+[\w\s]*[:{;]|template\s*<|using\s+(namespace\s|\w+\s*=)|(public|private|protected)\s*:)/m.test(
    text,
  )
