import * as oxc from 'oxc-parser'
import { mendedText } from './mended-text.ts'
import type { SyntaxTree, Transfer } from './syntax-tree.ts'
import type { Program, Visitor } from './syntax.ts'
import { wholeTree } from './whole-tree.ts'

export interface Source {
  readonly tree: SyntaxTree
  /** A declaration file, where everything is ambient. */
  readonly isDeclaration: boolean
}

/** Parses a script or module. JSX is read in any JavaScript file, as bundlers do. */
export function parse(path: string, text: string, transfer: Transfer = preferred()): Source {
  const isDeclaration = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/i.test(path)
  const lang = isDeclaration ? 'dts' : /\.tsx$/i.test(path) ? 'tsx' : /\.[cm]?ts$/i.test(path) ? 'ts' : 'jsx'
  const kinds = /\.c[jt]s$/i.test(path) ? (['commonjs', 'module'] as const) : (['module', 'commonjs'] as const)
  const read = (sourceType: 'commonjs' | 'module', as: NonNullable<oxc.ParserOptions['lang']>, of = text) =>
    transfer(path, of, { lang: as, sourceType, preserveParens: false })
  const first = read(kinds[0], lang)
  // Sloppy code is no module, and the other way about: what is read without complaint counts.
  if (!first.hasErrors) return { tree: first, isDeclaration }
  const { length } = first.program.body
  first.letGo()
  const second = read(kinds[1], lang === 'jsx' ? 'tsx' : lang)
  if (!second.hasErrors || second.program.body.length > length) return { tree: second, isDeclaration }
  second.letGo()
  const mended = length === 0 ? mendedText(text, of => lookedAt(read(kinds[0], lang, of))) : undefined
  return { tree: read(kinds[0], lang, mended), isDeclaration }
}

function lookedAt(tree: SyntaxTree): number | undefined {
  const { gaveUpAt } = tree
  tree.letGo()
  return gaveUpAt
}

/** What oxc offers without naming it in its types: pieces of the tree are made when they are looked at, five times as fast as all of them. */
interface LazyOxc {
  parseSync(path: string, text: string, options: oxc.ParserOptions & { experimentalLazy: true }): LazyResult
  experimentalGetLazyVisitor(): new (visitor: Visitor) => object
}

interface LazyResult {
  readonly program: Program
  readonly errors: readonly oxc.OxcError[]
  visit(visitor: object): void
  dispose(): void
}

let chosen: Transfer | undefined

/** Not every system lends as much address space as looking at pieces takes. */
function preferred(): Transfer {
  if (chosen) return chosen
  chosen = wholeTree
  try {
    if (!oxc.rawTransferSupported()) return chosen
    const transfer = lazyTree(oxc as unknown as LazyOxc)
    transfer('a.js', '', { lang: 'js', sourceType: 'module' }).letGo()
    chosen = transfer
  } catch {}
  return chosen
}

function lazyTree(lazy: LazyOxc): Transfer {
  const LazyVisitor = lazy.experimentalGetLazyVisitor()
  const made = new WeakMap<Visitor, object>()
  const lazyVisitor = (visitor: Visitor): object => {
    const known = made.get(visitor) ?? new LazyVisitor(visitor)
    made.set(visitor, known)
    return known
  }
  return (path, text, options) => {
    const result = lazy.parseSync(path, text, { ...options, experimentalLazy: true })
    return {
      program: result.program,
      hasErrors: result.errors.length > 0,
      gaveUpAt: result.program.body.length === 0 ? result.errors[0]?.labels[0]?.start : undefined,
      visit: visitor => result.visit(lazyVisitor(visitor)),
      letGo: () => result.dispose(),
    }
  }
}
