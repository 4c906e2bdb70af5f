import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'

/** All rules of a language for nodes of one type. */
export type NodeRules = {
  readonly [K in (typeof OUTLINE | typeof REST)[number]]: NonNullable<GrammarLanguage[K]>[string] | undefined
} & {
  readonly isScope: boolean
  readonly isComment: boolean
  readonly isText: boolean
}

const OUTLINE = ['declarations', 'lends', 'closed', 'tests'] as const
const REST = [
  'anonymous',
  'extensions',
  'fields',
  'variables',
  'outer',
  'returned',
  'calls',
  'operators',
  'accesses',
  'uses',
  'namedTexts',
  'lookups',
] as const

const tables = new WeakMap<GrammarLanguage, Map<string, NodeRules | undefined>>()

/** Finds the rules for nodes of a type; undefined if there are none, so that the node can be skipped. */
export function nodeRules(language: GrammarLanguage): (type: string) => NodeRules | undefined {
  const table = tables.get(language) ?? new Map<string, NodeRules | undefined>()
  tables.set(language, table)
  return type => {
    const before = table.get(type)
    if (before || table.has(type)) return before
    const rules = rulesFor(language, type)
    table.set(type, rules)
    return rules
  }
}

/** The types of nodes that tell a file's declarations and exports. */
export const outlineTypes = (language: GrammarLanguage): string[] => [
  ...new Set(OUTLINE.flatMap(key => Object.keys(language[key] ?? {}))),
]

function rulesFor(language: GrammarLanguage, type: string): NodeRules | undefined {
  const rules = [...OUTLINE, ...REST].map(key => {
    const table = language[key]
    return [key, table && Object.hasOwn(table, type) ? table[type] : undefined] as const
  })
  const marks = {
    isScope: language.scopes.has(type),
    isComment: /comment/.test(type),
    isText: /string|heredoc/.test(type),
  }
  const isNeeded = rules.some(([, rule]) => rule) || Object.values(marks).includes(true)
  return isNeeded ? ({ ...Object.fromEntries(rules), ...marks } as unknown as NodeRules) : undefined
}
