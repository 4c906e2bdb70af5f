import { decode } from './decode.ts'
import { languageOf } from './languages.ts'
import type { OwnFacts } from './own-facts.ts'

/** Above this a file is listed without facts: it is generated, and would hold up all others. */
export const LARGEST = 1 << 20

/** What parsing one file says. A file that does not parse gives what could be read; undefined where its language is not known. */
export async function factsOf(path: string, bytes: Uint8Array): Promise<OwnFacts | undefined> {
  const language = languageOf(path)
  if (language === undefined) return undefined
  const nothing = { language, exports: [], stars: [], tags: [language], symbols: [] }
  if (bytes.length > LARGEST || bytes.includes(0)) return nothing
  const text = decode(bytes)
  switch (language) {
    case 'typescript':
    case 'javascript':
      return (await import('./javascript/javascript-facts.ts')).javascriptFacts(path, language, text)
    default:
      return nothing
  }
}
