import { createRequire } from 'node:module'
import { Parser, type Node } from 'web-tree-sitter'
import { loadGrammar } from './load-grammar.ts'

const GRAMMAR = '@vscode/tree-sitter-wasm/wasm/tree-sitter-bash.wasm'
const MAX_MS = 1_000

/**
 * Parses a text and passes the tree to `show`; the tree is valid only during that call. Throws on a timeout or a parser
 * failure.
 */
export type ShowBash = <T>(text: string, show: (root: Node) => T) => T

let syntaxPromise: Promise<ShowBash> | undefined

/** Loads the grammar of bash once. */
export async function loadBashSyntax(): Promise<ShowBash> {
  syntaxPromise ??= load()
  try {
    return await syntaxPromise
  } catch (cause) {
    syntaxPromise = undefined
    throw cause
  }
}

async function load(): Promise<ShowBash> {
  const grammar = await loadGrammar(createRequire(import.meta.url).resolve(GRAMMAR))
  return (text, show) => {
    // A stopped or failed parser keeps its state, so each text has its own.
    const parser = new Parser().setLanguage(grammar)
    const end = performance.now() + MAX_MS
    const tree = parser.parse(text, undefined, { progressCallback: () => performance.now() > end })
    try {
      if (!tree) throw new Error(`The text is not parsed within ${MAX_MS} ms`)
      return show(tree.rootNode)
    } finally {
      tree?.delete()
      parser.delete()
    }
  }
}
