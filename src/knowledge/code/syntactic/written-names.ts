import { languageOf } from '../../model/languages.ts'
import { fromTree } from '../../model/grammar/from-tree.ts'

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
  const written = await fromTree(path, language, text, ({ rootNode }) => {
    const found: Written[] = []
    for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
      const node = rootNode.descendantForIndex(at, at + name.length)
      const isWhole = node?.text.replace(/^[$@]/, '') === name && node.namedChildCount <= 1
      if (!node || !isWhole || /comment|string|text/.test(node.type)) continue
      const before = text.slice(0, at)
      const [, of = ''] = /((?:\w+(?:\.|::|\\))*\w+)(?:\.|::|\\)$/.exec(before.slice(-200)) ?? []
      found.push({
        line: before.split('\n').length,
        column: at - before.lastIndexOf('\n'),
        of: of.replaceAll(/::|\\/g, '.'),
      })
    }
    return found
  })
  return written ?? []
}
