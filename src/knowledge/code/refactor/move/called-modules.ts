import type { Node } from 'oxc-parser'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { parseModule, walk } from '../../../model/syntax/parse-module.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import type { Source } from '../../source.ts'
import { means, rebaseSpecifier, specifierFor, styleOf } from '../../../../languages/javascript/specifier.ts'

/** Calls that name a module by its path: mocks of tests, and `require`. */
const NAMING =
  /^(?:(?:un|do|dont)?mock|unstable_mockModule|importActual|importMock|requireActual|requireMock|require)$/i

/** A text that may contain such a call. */
export const CALLS_MODULES = /(?:mock|mockModule|Actual|\brequire)\s*(?:<[^()]*>)?\s*\(/i

/** Module names in quotes outside of import and export statements. */
export function calledModules(root: Node): readonly (Stretch & { readonly value: string })[] {
  const moduleNames: (Stretch & { readonly value: string })[] = []
  walk(root, node => {
    const nameNode = namedBy(node)
    if (nameNode?.type === 'Literal' && typeof nameNode.value === 'string')
      moduleNames.push({ value: nameNode.value, start: nameNode.start + 1, end: nameNode.end - 1 })
  })
  return moduleNames
}

function namedBy(node: Node): Node | undefined {
  if (node.type === 'ImportExpression' || node.type === 'TSImportType') return node.source
  if (node.type !== 'CallExpression') return undefined
  const calleeNode = node.callee.type === 'MemberExpression' ? node.callee.property : node.callee
  return calleeNode.type === 'Identifier' && NAMING.test(calleeNode.name) ? node.arguments[0] : undefined
}

/** Edits of such calls when a file moves, in the file itself or in one that names it. */
export async function followedCalls(source: Source, path: string, to: string): Promise<readonly Splice[]> {
  const { program } = await parseModule(source.path, source.text)
  return calledModules(program).flatMap(({ value, start, end }) => {
    const newSpecifier = means(source.path, value, path)
      ? specifierFor(source.path, to, styleOf({ specifier: value, path }))
      : value
    const now = source.path === path ? rebaseSpecifier(value, path, to) : newSpecifier
    return now === value ? [] : [source.splice(start, end, now)]
  })
}
