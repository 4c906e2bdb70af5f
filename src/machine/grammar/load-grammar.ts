import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { Language, Parser } from 'web-tree-sitter'

/**
 * A grammar's lexer is one function of up to 435 kB. V8 would optimize it after a few tokens, which takes up to 4 s and
 * 2.9 GB (Swift) to parse at most a seventh faster. The parser itself is in another module and is optimized.
 */
const FLAGS = ['wasm-lazy-compilation', 'wasm-dynamic-tiering', 'wasm-tier-up']

/** V8 does not tell the value of a flag, so one that the user has set stays as it is. */
const userFlags = [...process.execArgv, process.env['NODE_OPTIONS']].join(' ').replaceAll('_', '-')
const flags = FLAGS.filter(flag => !userFlags.includes(flag))

// TypeScript describes it with the browser only.
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => Parameters<typeof Language.loadSync>[0] }

let parserStart: Promise<void> | undefined

/** Loads a grammar from its file. */
export async function loadGrammar(file: string): Promise<Language> {
  try {
    await (parserStart ??= Parser.init())
  } catch (cause) {
    parserStart = undefined
    throw cause
  }
  return Language.loadSync(compile(readFileSync(file)))
}

/** Flags are those of the process: synchronous, so that no other code of this thread is compiled with them. */
function compile(bytes: Uint8Array): Parameters<typeof Language.loadSync>[0] {
  for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  try {
    return new WebAssembly.Module(bytes)
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`)
  }
}
