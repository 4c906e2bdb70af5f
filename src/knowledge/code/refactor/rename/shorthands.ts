import type { Node } from 'oxc-parser'
import { languageOf } from '../../../model/languages.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { Source } from '../../source.ts'

/**
 * `{ old: value }` whose value comes to be named `old` is written `{ old }`: the way back from `{ old: value }`, which
 * a rename makes of `{ old }` so that the property keeps its name.
 */
export async function withShorthands(
  source: Source,
  splices: readonly Splice[],
  name: string,
): Promise<readonly Splice[]> {
  const language = languageOf(source.path)
  if (language !== 'typescript' && language !== 'javascript') return splices
  // Most files have no such property, and need not be parsed.
  if (!source.text.includes(`${name}:`) && !source.text.includes(`${name} :`)) return splices
  const { parseModule, walk } = await import('../../../model/syntax/parse-module.ts')
  const keys = new Map<number, number>()
  const { program } = await parseModule(source.path, source.text)
  walk(program, node => {
    if (node.type !== 'Property' || node.computed || node.shorthand || node.method) return
    const { key, value } = node
    const named: Node = value.type === 'AssignmentPattern' ? value.left : value
    if (key.type === 'Identifier' && key.name === name && named.type === 'Identifier') keys.set(named.start, key.start)
  })
  return splices.map(splice => {
    const key = splice.new === name ? keys.get(splice.start) : undefined
    return key === undefined ? splice : source.splice(key, splice.end, name)
  })
}
