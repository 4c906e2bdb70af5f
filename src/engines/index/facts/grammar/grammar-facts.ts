import type { Node, TreeCursor } from 'web-tree-sitter'
import type { CodeSymbol } from '../../types.ts'
import type { Language } from '../languages.ts'
import type { OwnFacts } from '../own-facts.ts'
import { loadRules } from './load-rules.ts'
import { parseText } from './parse-text.ts'
import type { LanguageRules, Named } from './rules.ts'

/** The facts of a file in a language whose grammar is tree-sitter's. */
export async function grammarFacts(path: string, language: Language, text: string): Promise<OwnFacts> {
  const rules = await loadRules(language)
  const tree = await parseText(rules, text)
  if (!tree) return { language, exports: [], stars: [], tags: [language], symbols: [] }
  try {
    const { symbols, names, isTest } = read(tree.walk(), rules)
    const said = rules.exports?.(tree.rootNode, path)
    const exports = said?.isAll ? said.names : [...names, ...(said?.names ?? [])]
    const listed = new Set(exports)
    return {
      language,
      exports: [...listed],
      stars: [],
      tags: isTest ? [language, 'test'].toSorted() : [language],
      symbols: said
        ? symbols.map(each =>
            each.within.length > 0
              ? each
              : { ...each, exported: listed.has(each.name) || (each.exported && !said.isAll) },
          )
        : symbols,
    }
  } finally {
    tree.delete()
  }
}

interface Scope {
  readonly name: string | undefined
  readonly depth: number
  /** A symbol in here can be an export. */
  readonly isOpen: boolean
}

function read(cursor: TreeCursor, rules: LanguageRules) {
  const symbols: CodeSymbol[] = []
  const names = new Set<string>()
  const scopes: Scope[] = [{ name: undefined, depth: -1, isOpen: true }]
  let isTest = false
  let depth = 0
  for (;;) {
    enter(cursor.nodeType)
    if (cursor.gotoFirstChild()) {
      depth++
      continue
    }
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) {
        cursor.delete()
        return { symbols, names, isTest }
      }
      depth--
    }
  }

  function enter(type: string): void {
    while ((scopes.at(-1)?.depth ?? -1) >= depth) scopes.pop()
    const rule = cursor.nodeIsNamed && Object.hasOwn(rules.symbols, type) ? rules.symbols[type] : undefined
    const scope = rules.scopes && Object.hasOwn(rules.scopes, type) ? rules.scopes[type] : undefined
    const test = !isTest && rules.tests && Object.hasOwn(rules.tests, type) ? rules.tests[type] : undefined
    if (!rule && !scope && !test) return
    const node = cursor.currentNode
    if (test?.(node)) isTest = true
    if (rules.isClosed?.(node)) return void scopes.push({ name: undefined, depth, isOpen: false })
    const found = rule?.(node)
    // Several names of one declaration stand side by side, not one in another.
    const around = [...scopes]
    if (found !== undefined) for (const each of [found].flat()) add(node, each, around)
    const lent = scope?.(node)
    if (lent !== undefined) scopes.push({ name: lent, depth, isOpen: false })
  }

  function add(node: Node, { kind, name, isPublic, within = [] }: Named, around: readonly Scope[]): void {
    const isOpen = (around.at(-1)?.isOpen ?? false) && within.length === 0
    const whole = node.parent && rules.wrappers?.has(node.parent.type) ? node.parent : node
    symbols.push({
      name,
      kind,
      ...linesOf(whole),
      within: [...around.flatMap(({ name: outer }) => outer ?? []), ...within],
      exported: isPublic,
    })
    if (isOpen && isPublic) names.add(name)
    scopes.splice(around.length, 1, { name, depth, isOpen: isOpen && (rules.transparent?.has(kind) ?? false) })
  }
}

/** A node may end with the line end after it. */
function linesOf({ startPosition, endPosition }: Node): { readonly from: number; readonly to: number } {
  const endsBefore = endPosition.column === 0 && endPosition.row > startPosition.row
  return { from: startPosition.row + 1, to: endPosition.row + (endsBefore ? 0 : 1) }
}
