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

/** The visitors of the file that is being read, and for each set of them one that looks with the eyes of all. */
let current: readonly Readonly<Record<string, Look | undefined>>[] = []
const merged = new Map<string, Visitor>()

/** Which nodes are looked at is the same for every file of a kind, so it is found out once. */
function together(visitors: readonly Visitor[]): Visitor {
  current = visitors as typeof current
  const kinds = current.map(visitor => Object.keys(visitor))
  const key = kinds.join(';')
  const known = merged.get(key)
  if (known) return known
  const all: Record<string, (node: never) => void> = {}
  for (const kind of new Set(kinds.flat())) {
    const places = [...kinds.keys()].filter(at => kinds[at]?.includes(kind))
    const [first = 0, second] = places
    if (second === undefined) all[kind] = node => current[first]?.[kind]?.(node)
    else
      all[kind] = node => {
        for (const at of places) current[at]?.[kind]?.(node)
      }
  }
  merged.set(key, all)
  return all
}
