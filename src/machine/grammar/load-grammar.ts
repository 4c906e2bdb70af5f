import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { Language, Parser } from 'web-tree-sitter'

/**
 * A grammar's lexer is one function of up to 435 kB. V8 would optimize it after a few tokens, which takes up to 4 s and
 * 3.4 GB (Swift) to parse a seventh faster. The parser itself is in another module and is optimized.
 */
const FLAGS = ['wasm-lazy-compilation', 'wasm-dynamic-tiering', 'wasm-tier-up']

// TypeScript describes it with the browser only.
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => Parameters<typeof Language.loadSync>[0] }

let started: Promise<void> | undefined

/** Loads a grammar from its file. */
export async function loadGrammar(file: string): Promise<Language> {
  await (started ??= Parser.init())
  return Language.loadSync(compile(readFileSync(file)))
}

/** Synchronous, so that nothing else is compiled with these flags. */
function compile(bytes: Uint8Array): Parameters<typeof Language.loadSync>[0] {
  for (const flag of FLAGS) setFlagsFromString(`--no-${flag}`)
  try {
    return new WebAssembly.Module(bytes)
  } finally {
    for (const flag of FLAGS) setFlagsFromString(`--${flag}`)
  }
}
