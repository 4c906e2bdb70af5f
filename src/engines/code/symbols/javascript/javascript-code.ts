import { linesOf } from '../../../index/facts/lines.ts'
import { parse } from './parse.ts'
import type { FileCode, OwnSymbol } from '../file-code.ts'
import { isTestPath } from '../test-path.ts'
import { declare } from './declare.ts'
import { exportsIn } from './exports.ts'
import type { Draft, Reading } from './reading.ts'
import { referencesIn } from './references.ts'

const RUNNERS = /^(vitest|@jest\/globals|node:test|mocha|bun:test|@playwright\/test|jasmine)$/

/** What a JavaScript or TypeScript file says. */
export function javascriptCode(path: string, language: string, text: string): FileCode {
  const program = parse(path, text)
  const isTest =
    isTestPath(path) || program.body.some(each => each.type === 'ImportDeclaration' && RUNNERS.test(each.source.value))
  const reading: Reading = {
    text,
    lines: linesOf(text),
    drafts: [],
    imports: [],
    symbolOf: new Map(),
    importOf: new Map(),
    scopeOf: new Map(),
    handedTo: new Map(),
    selfOf: new Map(),
    overloads: new Set(),
    isTest,
  }
  const root = declare(reading, program)
  const { exports, stars } = exportsIn(reading, program, root)
  const references = referencesIn(reading, program, root)
  const passedOn = new Set(exports.flatMap(({ value }) => (value[0] === 'symbol' ? [value[1]] : [])))
  const symbols = reading.drafts.map((draft, at) => finished(draft, passedOn.has(at)))
  return { language, symbols, imports: reading.imports, exports, stars, references, ...(isTest && { isTest: true }) }
}

function finished({ later, ...draft }: Draft, isExported: boolean): OwnSymbol {
  return { ...draft, ...later?.(), exported: draft.exported || isExported }
}
