import { linesOf } from '../lines.ts'
import type { OwnFacts } from '../own-facts.ts'
import { commonExports } from './common-exports.ts'
import { moduleExports } from './module-exports.ts'
import { parse, type Source } from './parse.ts'
import { symbolsVisitor } from './symbols.ts'
import type { Visitor } from './syntax.ts'
import { tagVisitors } from './tags.ts'

/** The facts of a JavaScript or TypeScript file. */
export function javascriptFacts(path: string, language: string, text: string, source = parse(path, text)): OwnFacts {
  try {
    return factsIn(source, path, language, text)
  } finally {
    source.tree.letGo()
  }
}

function factsIn({ tree, isDeclaration }: Source, path: string, language: string, text: string): OwnFacts {
  const { program } = tree
  const exported = moduleExports(program, text, isDeclaration)
  const common = exported || isDeclaration ? undefined : commonExports(program)
  const symbols = symbolsVisitor(text, linesOf(text))
  const found = isDeclaration ? undefined : tagVisitors(program, text, path)
  tree.visit(together([symbols.visitor, ...(found?.visitors ?? []), ...(common ? [common.visitor] : [])]))
  const { names, stars, locals, defaultName } = exported ?? common?.found ?? NOTHING
  const exports = [...names]
  const tags = found?.tags({ locals, hasDefault: exports.includes('default') }) ?? []
  return {
    language,
    exports,
    ...(defaultName !== undefined && { defaultName }),
    stars: [...stars],
    tags: [...new Set([language, ...tags])].toSorted(),
    symbols: symbols.all(locals),
  }
}

const NOTHING = { names: [], stars: [], locals: new Set<string>(), defaultName: undefined }

type Look = (node: never) => void

/** One visitor that looks with the eyes of all. */
function together(visitors: readonly Visitor[]): Visitor {
  const all: Record<string, Look> = {}
  for (const visitor of visitors)
    for (const [kind, look] of Object.entries<Look>(visitor)) {
      const before = all[kind]
      all[kind] = before ? both(before, look) : look
    }
  return all
}

const both =
  (first: Look, second: Look): Look =>
  node => {
    first(node)
    second(node)
  }
