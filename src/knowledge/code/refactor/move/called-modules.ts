import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { Source } from '../../source.ts'
import { parseModule, walk } from '../../../model/syntax/parse-module.ts'
import { means, rebased, specifierFor, styleOf } from './specifier.ts'

/** Calls that name a module by its place: those of tests that replace one, and `require`. */
const NAMING =
  /^(?:(?:un|do|dont)?mock|unstable_mockModule|importActual|importMock|requireActual|requireMock|require)$/i

/** A text that may hold such a call. */
export const CALLS_MODULES = /(?:mock|mockModule|Actual|\brequire)\s*(?:<[^()]*>)?\s*\(/i

/** What has to be written in such calls when a file moves, in itself or where another names it. */
export async function calledModules(source: Source, path: string, to: string): Promise<readonly Splice[]> {
  const splices: Splice[] = []
  const called = new Set<number>()
  const isMoved = source.path === path
  const { program } = await parseModule(source.path, source.text)
  walk(program, node => {
    if (node.type === 'CallExpression') {
      const named = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee
      const [first] = node.arguments
      if (named.type === 'Identifier' && NAMING.test(named.name) && first) called.add(first.start)
    }
    if (node.type !== 'Literal' || typeof node.value !== 'string') return
    const { value, start, end } = node
    const isCalled = called.has(start)
    if (isMoved) {
      const now = isCalled ? rebased(value, path, to) : value
      if (now !== value) splices.push(source.splice(start + 1, end - 1, now))
    } else if (isCalled && means(source.path, value, path))
      splices.push(
        source.splice(start + 1, end - 1, specifierFor(source.path, to, styleOf({ specifier: value, path }))),
      )
  })
  return splices
}
