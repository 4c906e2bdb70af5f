import { linesOf } from '../lines.ts'
import type { OwnFacts } from '../own-facts.ts'
import { commonExports } from './common-exports.ts'
import { moduleExports } from './module-exports.ts'
import { parse } from './parse.ts'
import { symbolsVisitor } from './symbols.ts'
import { tagVisitors } from './tags.ts'
import { visit } from './visit.ts'

/** The facts of a JavaScript or TypeScript file. */
export function javascriptFacts(path: string, language: string, text: string): OwnFacts {
  const { result, isDeclaration } = parse(path, text)
  const { program } = result
  const exported = moduleExports(program, isDeclaration)
  const common = exported || isDeclaration ? undefined : commonExports(program)
  const symbols = symbolsVisitor(linesOf(text))
  const { visitors, tags } = tagVisitors(program)
  visit(program, [symbols, ...(isDeclaration ? [] : visitors), ...(common ? [common] : [])])
  const { names, stars, locals, defaultName } = exported ?? common?.found ?? NOTHING
  const exports = [...names]
  return {
    language,
    exports,
    ...(defaultName !== undefined && { defaultName }),
    stars: [...stars],
    tags: [...new Set([language, ...tags({ locals, hasDefault: exports.includes('default') })])].toSorted(),
    symbols: symbols.all(locals),
  }
}

const NOTHING = { names: [], stars: [], locals: new Set<string>(), defaultName: undefined }
