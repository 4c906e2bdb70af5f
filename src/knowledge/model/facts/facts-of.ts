import { isComponentFile, languageOf, readerOf } from '../../../languages/registry.ts'
import { decode } from '../decode.ts'
import type { scriptOutline } from '../../../languages/javascript/javascript-model.ts'
import { outlineFacts } from './outline-facts.ts'
import type { OwnFacts } from './own-facts.ts'

/** A larger file is listed without facts: it is generated, and would delay all others. */
export const LARGEST = 1 << 20

let scripts: { readonly scriptOutline: typeof scriptOutline } | undefined

/**
 * Parses one file. Returns partial facts if it does not parse; undefined if its language is not known. `decodedText`: its
 * text, if the caller has it.
 */
export async function factsOf(path: string, bytes: Uint8Array, decodedText?: string): Promise<OwnFacts | undefined> {
  const language = languageOf(path)
  if (language === undefined) return undefined
  const nothing = nothingIn(language)
  if (bytes.length > LARGEST) return nothing
  const text = decodedText ?? decode(bytes)
  // Named like source code, but binary.
  if (text.includes('\0')) return nothing
  if (isComponentFile(path)) return (await import('./component-facts.ts')).componentFacts(path, language, text)
  const reader = readerOf(language)
  if (!reader) return { ...nothing, tags: [language, 'style'] }
  if (reader === 'script') {
    scripts ??= await import('../../../languages/javascript/javascript-model.ts')
    return outlineFacts(scripts.scriptOutline(path, language, text, { tags: true }))
  }
  const outline = await (await import('../grammar/grammar-model.ts')).grammarOutline(path, language, text)
  return outline ? outlineFacts(outline) : nothing
}

/** The facts of a file of which only the language is known. */
export const nothingIn = (language: string): OwnFacts => ({
  language,
  exports: [],
  stars: [],
  tags: [language],
  symbols: [],
})
