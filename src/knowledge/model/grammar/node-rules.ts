import type { GrammarLanguage } from './language.ts'

/** How much of a file is read: what it declares and exports, or all of its model. */
export type Depth = 'outline' | 'full'

/** All that a language says about nodes of one type. */
export type NodeRules = {
  readonly [K in (typeof OUTLINE | typeof REST)[number]]: NonNullable<GrammarLanguage[K]>[string] | undefined
} & {
  readonly isScope: boolean
  readonly isComment: boolean
  readonly isText: boolean
}

const OUTLINE = ['declarations', 'lends', 'closed', 'tests'] as const
const REST = ['anonymous', 'fields', 'variables', 'outer', 'returned', 'calls', 'operators', 'uses'] as const

const known = new WeakMap<GrammarLanguage, Record<Depth, Map<string, NodeRules | undefined>>>()

/** Finds the rules for nodes of a type; undefined where there are none, so that the node need not be looked at. */
export function nodeRules(language: GrammarLanguage, depth: Depth): (type: string) => NodeRules | undefined {
  const tables = known.get(language) ?? { outline: new Map(), full: new Map() }
  known.set(language, tables)
  const table = tables[depth]
  return type => {
    const before = table.get(type)
    if (before || table.has(type)) return before
    const found = rulesFor(language, depth, type)
    table.set(type, found)
    return found
  }
}

function rulesFor(language: GrammarLanguage, depth: Depth, type: string): NodeRules | undefined {
  const keys = depth === 'full' ? [...OUTLINE, ...REST] : OUTLINE
  const rules = keys.map(key => {
    const table = language[key]
    return [key, table && Object.hasOwn(table, type) ? table[type] : undefined] as const
  })
  const marks = {
    isScope: language.scopes.has(type),
    isComment: /comment/.test(type),
    isText: /string|heredoc/.test(type),
  }
  const isNeeded = rules.some(([, rule]) => rule) || (depth === 'full' && Object.values(marks).includes(true))
  return isNeeded ? ({ ...Object.fromEntries(rules), ...marks } as unknown as NodeRules) : undefined
}
