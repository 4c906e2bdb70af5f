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

/** One visitor that looks with the eyes of all; `looks` are those of the file that is being read. */
interface Merged {
  readonly visitor: Visitor
  /** Which kind of node each look is for, of which visitor. */
  readonly places: readonly { readonly at: number; readonly kind: string }[]
  readonly looks: Look[]
}

const known = new Map<string, Merged>()

/** Which nodes are looked at is the same for every file of a kind, so it is found out once. */
function together(visitors: readonly Visitor[]): Visitor {
  const all = visitors as readonly Readonly<Record<string, Look>>[]
  const kinds = all.map(visitor => Object.keys(visitor))
  const key = kinds.join(';')
  const made = known.get(key) ?? merged(kinds)
  known.set(key, made)
  for (const [place, { at, kind }] of made.places.entries()) made.looks[place] = all[at]?.[kind] ?? nothing
  return made.visitor
}

function merged(kinds: readonly (readonly string[])[]): Merged {
  const places = kinds.flatMap((each, at) => each.map(kind => ({ at, kind })))
  const looks: Look[] = places.map(() => nothing)
  const visitor: Record<string, Look> = {}
  for (const kind of new Set(kinds.flat())) {
    const own = [...places.keys()].filter(place => places[place]?.kind === kind)
    visitor[kind] = lookOf(looks, own)
  }
  return { visitor, places, looks }
}

function lookOf(looks: readonly Look[], places: readonly number[]): Look {
  const [first = 0, second, ...rest] = places
  if (second === undefined) return node => (looks[first] as Look)(node)
  if (rest.length === 0)
    return node => {
      ;(looks[first] as Look)(node)
      ;(looks[second] as Look)(node)
    }
  return node => {
    for (const place of places) (looks[place] as Look)(node)
  }
}

const nothing: Look = () => {}
