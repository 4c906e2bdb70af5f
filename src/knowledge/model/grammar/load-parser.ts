import { createRequire } from 'node:module'
import { Language as Grammar, Parser } from 'web-tree-sitter'
import type { GrammarLanguage } from './language.ts'

const parsers = new Map<string, Promise<Parser>>()
let started: Promise<void> | undefined

/** One parser for each grammar, loaded when a file first needs it. */
export function loadParser({ grammar }: GrammarLanguage): Promise<Parser> {
  const known = parsers.get(grammar)
  if (known) return known
  const made = (async () => {
    await (started ??= Parser.init())
    const loaded = await Grammar.load(createRequire(import.meta.url).resolve(grammar))
    return new Parser().setLanguage(loaded)
  })()
  parsers.set(grammar, made)
  return made
}
