import { languageOf } from '../../index/facts/languages.ts'
import { isReallyCpp } from '../../index/facts/facts-of.ts'
import { loadRules } from '../../index/facts/grammar/load-rules.ts'
import { parseText } from '../../index/facts/grammar/parse-text.ts'

/** A place where a name is written, 1-based. */
export interface Written {
  readonly line: number
  readonly column: number
  /** What stands before it with dots, such as `a.b`; empty where nothing does. */
  readonly of: string
}

/** Where a name is written in code: not in comments, nor in texts that are only shown. */
export async function writtenNames(path: string, text: string, name: string): Promise<readonly Written[]> {
  const language = languageOf(path)
  if (language === undefined || name === '') return []
  const rules = await loadRules(language === 'c' && isReallyCpp(path, text) ? 'cpp' : language)
  const tree = await parseText(rules, text)
  if (!tree) return []
  try {
    const found: Written[] = []
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const node = tree.rootNode.descendantForIndex(at, at + name.length)
      const written = node?.text.replace(/^[$@]/, '')
      if (!node || written !== name || node.namedChildCount > 1 || /comment|string|text/.test(node.type)) continue
      const before = text.slice(0, at)
      const [, of = ''] = /((?:\w+(?:\.|::|\\))*\w+)(?:\.|::|\\)$/.exec(before.slice(-200)) ?? []
      found.push({
        line: before.split('\n').length,
        column: at - before.lastIndexOf('\n'),
        of: of.replaceAll(/::|\\/g, '.'),
      })
    }
    return found
  } finally {
    tree.delete()
  }
}
