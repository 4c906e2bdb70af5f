import { parseSync, visitorKeys, type Node, type ParseResult } from 'oxc-parser'
import { languageOf } from '../../../index/facts/languages.ts'
import { scriptOnly } from '../../symbols/script-only.ts'

/** Parses a script or module with comments and errors, of a component its scripts where they stand. */
export function parseModule(path: string, text: string): ParseResult {
  if (languageOf(path) !== 'vue') return parseScript(path, text)
  const script = scriptOnly(text)
  return parseScript(`${path}.${script.ending}`, script.text)
}

/** What does not parse as a module is tried as a script, and the other way round. */
function parseScript(path: string, text: string): ParseResult {
  const isDeclaration = /\.d\.[cm]?ts$|\.d\.[^./]+\.ts$/i.test(path)
  const lang = isDeclaration ? 'dts' : /\.tsx$/i.test(path) ? 'tsx' : /\.[cm]?ts$/i.test(path) ? 'ts' : 'jsx'
  const isCommon = /\.c[jt]s$/i.test(path)
  const first = parseSync(path, text, { lang, sourceType: isCommon ? 'commonjs' : 'module', preserveParens: false })
  if (first.errors.length === 0) return first
  const again = parseSync(path, text, {
    lang: lang === 'jsx' ? 'tsx' : lang,
    sourceType: isCommon ? 'module' : 'commonjs',
    preserveParens: false,
  })
  return again.errors.length === 0 ? again : first
}

/** The nodes right below one, in the order of the text as far as the grammar has one. */
export function childrenOf(node: Node): readonly Node[] {
  const keys: readonly string[] = visitorKeys[node.type] ?? []
  return keys.flatMap(key => {
    const value: unknown = Reflect.get(node, key)
    return Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []
  })
}

/** Every node below one, outer before inner; what `enter` answers false for is not gone into. */
export function walk(node: Node, enter: (node: Node) => boolean | void): void {
  if (enter(node) === false) return
  for (const child of childrenOf(node)) walk(child, enter)
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
