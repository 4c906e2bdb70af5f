import type { Node } from 'web-tree-sitter'
import { isReallyCpp } from '../../../index/facts/facts-of.ts'
import { loadRules } from '../../../index/facts/grammar/load-rules.ts'
import { parseText } from '../../../index/facts/grammar/parse-text.ts'
import type { LanguageRules } from '../../../index/facts/grammar/rules.ts'
import type { Language } from '../../../index/facts/languages.ts'
import { NO_CODE, type FileCode, type OwnSymbol, type Reference, type Value } from '../file-code.ts'
import { baseOf, declaredSymbol } from './declared-symbol.ts'
import { createReader, type Place } from './expressions.ts'
import { loadSyntax } from './load-syntax.ts'
import { childrenOf, type Syntax } from './syntax.ts'
import { unreadIn } from './unread-in.ts'

/** What a file says in a language whose grammar is tree-sitter's. */
export async function grammarCode(path: string, language: Language, text: string): Promise<FileCode> {
  const spoken = language === 'c' && isReallyCpp(path, text) ? 'cpp' : language
  const [rules, syntax] = await Promise.all([loadRules(spoken), loadSyntax(spoken)])
  const tree = await parseText(rules, text)
  if (!tree) return { language, ...NO_CODE }
  try {
    const { rootNode: root } = tree
    const packaged = syntax?.package?.(root)
    const facade = syntax?.facade?.(root)
    return {
      language,
      ...(packaged !== undefined && { package: packaged }),
      ...(facade !== undefined && { facade }),
      imports: syntax?.imports(root) ?? [],
      exports: [],
      stars: [],
      ...walk(root, text, rules, syntax),
      ...unreadIn(root, text),
    }
  } finally {
    tree.delete()
  }
}

const MARKS = /annotation|attribute/

/** What an attribute stands above. */
function below(attribute: Node): Node | undefined {
  let at = attribute.nextNamedSibling
  while (at && /^attribute_item$|comment/.test(at.type)) at = at.nextNamedSibling
  return at ?? undefined
}

/** One of those that the class around it has by name. */
const ownOf = ({ parent }: Around): Value => ['instance', ['symbol', parent]]

const openScope = (around: Around): Around => ({ ...around, names: new Map(around.names) })

interface Around extends Place {
  /** The symbol that a new one stands in. */
  readonly parent: number
  readonly scopes: readonly string[]
}

function walk(root: Node, text: string, rules: LanguageRules, syntax: Syntax | undefined) {
  const symbols: OwnSymbol[] = []
  const references: Reference[] = []
  const tests: Node[] = []
  /** What an attribute above says to be a test. */
  const marked = new Set<number>()
  const reader = syntax && createReader(syntax, symbols)
  visit(root, { parent: -1, by: -1, names: new Map(), implicit: [], scopes: [] })
  return { symbols, references, ...(tests.length > 0 && { isTest: true as const }) }

  function visit(node: Node, around: Around): void {
    // Asking the tree for it is slow.
    const { type } = node
    const isTest = rules.tests && Object.hasOwn(rules.tests, type) && rules.tests[type]?.(node) === true
    if (isTest) tests.push(node)
    if (isTest && type === 'attribute_item') marked.add(below(node)?.id ?? -1)
    if (rules.isClosed?.(node)) return
    let inside: Around = syntax?.scopes.has(type) ? openScope(around) : around
    const first = symbols.length
    inside = declare(node, type, inside)
    if (symbols.length > first ? isTest || marked.has(node.id) : isTest && MARKS.test(type)) markTest(inside.by)
    if (reader && syntax) {
      read(node, inside)
      if (Object.hasOwn(syntax.variables, type))
        for (const [name, value] of reader.variables(node, inside)) inside.names.set(name, value)
      for (const child of childrenOf(node)) visit(child, reader.within(child, inside))
    } else for (const child of childrenOf(node)) visit(child, inside)
  }

  function markTest(number: number): void {
    const symbol = symbols[number]
    if (symbol && /^(function|method)$/.test(symbol.kind)) symbols[number] = { ...symbol, isTest: true }
  }

  /** Adds what the node declares; what is in it stands in that. */
  function declare(node: Node, type: string, around: Around): Around {
    const rule = Object.hasOwn(rules.symbols, type) ? rules.symbols[type] : undefined
    const lent = rules.scopes && Object.hasOwn(rules.scopes, type) ? rules.scopes[type]?.(node) : undefined
    const bases = syntax?.anonymous?.(node)
    if (bases) return anonymous(node, bases, around)
    if (!rule && lent === undefined) return fields(node, type, around)
    const found = [rule?.(node) ?? []].flat()
    const first = symbols.length
    for (const named of found)
      symbols.push(declaredSymbol(node, named, { ...around, text, rules, syntax, reader, isFirst: named === found[0] }))
    const isHolder = found.some(({ kind }) => kind !== 'variable' && kind !== 'type')
    const outer = lent === undefined ? around : { ...around, scopes: [...around.scopes, lent] }
    if (!isHolder) return found.length > 0 ? outer : fields(node, type, outer)
    if (!reader) return { ...outer, parent: first, by: first }
    const own: Around = { ...outer, parent: first, by: first, names: new Map(around.names), implicit: [] }
    for (const parameter of syntax?.parameters(node) ?? []) {
      const value = reader.valueOfVariable(parameter, own)
      if (!parameter.isProperty) own.names.set(parameter.name, value)
      else addProperty(parameter.name, node, value, own.parent)
    }
    return own
  }

  /** A class without a name holds what stands in it all the same. */
  function anonymous(node: Node, bases: readonly Node[], around: Around): Around {
    const number = symbols.length
    symbols.push({
      name: '',
      kind: 'class',
      from: (node.parent ?? node).startPosition.row + 1,
      to: node.endPosition.row + 1,
      parent: around.parent,
      exported: false,
      signature: '',
      ...(reader && bases.length > 0 && { extends: bases.map(base => baseOf(reader.valueOfType(base))) }),
    })
    return { ...around, parent: number, by: number, names: new Map(around.names), implicit: [] }
  }

  function fields(node: Node, type: string, around: Around): Around {
    const rule = syntax && Object.hasOwn(syntax.fields, type) ? syntax.fields[type] : undefined
    for (const each of rule?.(node) ?? []) {
      if (each.name === '' || !reader) continue
      const holder = each.isOfClass ? (symbols[around.parent]?.parent ?? -1) : around.parent
      const isKnown = each.isOfClass && symbols.some(({ name, parent }) => name === each.name && parent === holder)
      if (!isKnown)
        addProperty(each.name, node, each.isOwn ? ownOf(around) : reader.valueOfVariable(each, around), holder)
    }
    return around
  }

  function addProperty(name: string, node: Node, value: Value, parent: number): void {
    symbols.push({
      name,
      kind: 'property',
      from: node.startPosition.row + 1,
      to: node.endPosition.row + 1,
      parent,
      exported: false,
      signature: name,
      value,
    })
  }

  function read(node: Node, around: Around): void {
    if (!reader) return
    for (const each of reader.signs(node, around))
      references.push({ ...each, by: around.by, line: node.startPosition.row + 1 })
    const called = reader.reference(node, around)
    if (!called) return
    references.push({ ...called, by: around.by, line: reader.lineOf(node) })
    reader.open(node, around)
  }
}
