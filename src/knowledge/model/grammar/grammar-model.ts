import type { Node, Tree, TreeCursor } from 'web-tree-sitter'
import {
  EMPTY_MODEL,
  type Declaration,
  type ExportBinding,
  type FileModel,
  type Outline,
  type Unread,
} from '../../../languages/file-model/file-model.ts'
import type { Stretch } from '../../../languages/file-model/syntax-file.ts'
import { createDeclarations, type Around } from './declarations.ts'
import { importsIn } from '../../../languages/grammar/describe.ts'
import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'
import { fromTree } from './from-tree.ts'
import { openScope } from './names.ts'
import { nodeRules, outlineTypes, type NodeRules } from './node-rules.ts'
import { stretchOf, linesOf } from './places.ts'
import { createReferences } from './references.ts'
import { createArgumentReader } from './written-types.ts'
import { lostNames, mentionedIn } from '../../../languages/file-model/unread-text.ts'
import { errorsIn } from './parse-text.ts'

/** The declarations and exports of a file that tree-sitter parses; undefined if it cannot be parsed. */
export const grammarOutline = (path: string, byExtension: string, text: string): Promise<Outline | undefined> =>
  fromTree(path, byExtension, text, (tree, language, actual) => {
    const walkResult = outline(tree, text, language)
    const { symbols, exports, isTest } = { ...walkResult, ...exportDetails(tree.rootNode, path, language, walkResult) }
    return {
      language: actual,
      symbols,
      exportNames: exports.map(({ name }) => name),
      stars: [],
      tags: isTest ? [actual, 'test'].toSorted() : [actual],
      ...lostIn(tree.rootNode, text, symbols),
    }
  })

/** The full model of such a file. */
export const grammarModel = (path: string, byExtension: string, text: string): Promise<FileModel | undefined> =>
  fromTree(path, byExtension, text, (tree, language, actual) => {
    const walkResult = fullModel(tree, text, language)
    return {
      language: actual,
      ...EMPTY_MODEL,
      ...walkResult,
      ...exportDetails(tree.rootNode, path, language, walkResult),
    }
  })

type Walked = Pick<FileModel, 'symbols' | 'references' | 'exports' | 'isTest'>

const start = (): Around => ({
  parent: -1,
  by: -1,
  names: openScope(),
  implicit: [],
  within: [],
  isOpen: true,
  isClosed: false,
})

/** The declarations and exports of a file, and whether it contains tests. Visits only the nodes that tell. */
function outline({ rootNode: root }: Tree, text: string, language: GrammarLanguage): Walked {
  const symbols: Declaration[] = []
  const declarations = createDeclarations(language, text, symbols, undefined)
  const rulesOf = nodeRules(language)
  const open: { readonly end: number; readonly inside: Around }[] = []
  const outermost = start()
  let isTest = false
  for (const node of root.descendantsOfType(outlineTypes(language))) {
    const rules = node?.isNamed ? rulesOf(node.type) : undefined
    if (!node || !rules) continue
    while ((open.at(-1)?.end ?? Infinity) <= node.startIndex) open.pop()
    const around = open.at(-1)?.inside ?? outermost
    isTest ||= rules.tests?.(node) === true
    const inside = declarations.declare(node, rules, rules.closed?.(node) ? { ...around, isClosed: true } : around)
    open.push({ end: node.endIndex, inside })
  }
  return { symbols, references: [], exports: declarations.exports(), ...(isTest && { isTest: true }) }
}

function fullModel(tree: Tree, text: string, language: GrammarLanguage): Walked & Partial<FileModel> {
  const symbols: Declaration[] = []
  const [comments, literals]: [Stretch[], Stretch[]] = [[], []]
  const reader = createArgumentReader(language, symbols)
  const declarations = createDeclarations(language, text, symbols, reader)
  const references = createReferences(language, reader)
  const tests = createTests(symbols)
  const rulesOf = nodeRules(language)
  /** The end of the string that is being walked. */
  let textEnd = -1
  walkTree(tree, start(), enter)
  const { rootNode: root } = tree
  const packageName = language.package?.(root)
  return {
    symbols: symbols.map((symbol, number) => {
      const value = references.resultOf(symbol, number)
      return value ? { ...symbol, value } : symbol
    }),
    references: references.references,
    ...references.namesIn(),
    ...(declarations.extensions.length > 0 && { extensions: declarations.extensions }),
    exports: declarations.exports(),
    imports: importsIn(language, root),
    comments,
    literals,
    ...(packageName !== undefined && { package: packageName }),
    ...(tests.found() && { isTest: true }),
    ...unreadIn(root, text),
  }

  function enter(cursor: TreeCursor, around: Around): Around | undefined {
    if (around.outer && language.runsOutside?.has(cursor.nodeType)) return around.outer
    const rules = rulesOf(cursor.nodeType)
    if (!rules || !cursor.nodeIsNamed) return around
    const node = cursor.currentNode
    if (rules.isComment) return void comments.push(stretchOf(node))
    if (rules.isText && node.startIndex >= textEnd) {
      textEnd = node.endIndex
      if (node.startPosition.row !== node.endPosition.row && !isDoc(node)) literals.push(stretchOf(node))
    }
    return inside(node, rules, references.inside(node, around))
  }

  function inside(node: Node, rules: NodeRules, around: Around): Around {
    const first = symbols.length
    const innerPlace = declarations.declare(node, rules, rules.closed?.(node) ? { ...around, isClosed: true } : around)
    const isOpened = innerPlace.names !== around.names || !rules.isScope
    const ownPlace = isOpened ? innerPlace : { ...innerPlace, names: openScope(around.names) }
    tests.look(node, rules, symbols.length > first, ownPlace.by)
    references.read(node, rules, ownPlace)
    return ownPlace
  }
}

/** A string that is a statement is documentation. */
const isDoc = ({ type, parent }: Node): boolean => type === 'string' && parent?.type === 'expression_statement'

const MARKS = /annotation|attribute/

/** Marks the functions that are tests. */
function createTests(symbols: Declaration[]) {
  let isFound = false
  /** Functions marked as tests by an attribute. */
  const markedIds = new Set<number>()
  return {
    found: () => isFound,
    look(node: Node, { tests }: NodeRules, isDeclared: boolean, by: number): void {
      const isTest = tests?.(node) === true
      isFound ||= isTest
      if (isTest && node.type === 'attribute_item') markedIds.add(below(node)?.id ?? -1)
      if (!(isDeclared ? isTest || markedIds.has(node.id) : isTest && MARKS.test(node.type))) return
      const symbol = symbols[by]
      if (symbol && /^(function|method)$/.test(symbol.kind)) symbols[by] = { ...symbol, isTest: true }
    },
  }
}

/** The declaration below an attribute. */
function below(attribute: Node): Node | undefined {
  let at = attribute.nextNamedSibling
  while (at && /^attribute_item$|comment/.test(at.type)) at = at.nextNamedSibling
  return at ?? undefined
}

/** The exports, including those that are stated apart from their declaration. */
function exportDetails(
  root: Node,
  path: string,
  language: GrammarLanguage,
  { symbols, exports }: Walked,
): Partial<FileModel> {
  const statedExports = language.exports?.(root, path)
  if (!statedExports) return {}
  const isOuter = ({ parent, within }: Declaration): boolean => parent === -1 && !within
  const bindings = new Map<string, ExportBinding>(statedExports.isAll ? [] : exports.map(each => [each.name, each]))
  for (const name of statedExports.names) {
    const number = symbols.findIndex(each => each.name === name && isOuter(each))
    if (!bindings.has(name)) bindings.set(name, { name, value: number < 0 ? ['name', name] : ['symbol', number] })
  }
  const names = new Set(statedExports.names)
  return {
    exports: [...bindings.values()],
    symbols: symbols.map(each =>
      isOuter(each) ? { ...each, exported: names.has(each.name) || (each.exported && !statedExports.isAll) } : each,
    ),
  }
}

/** The unparsable stretches of a file with the names in them, and the start of the first. */
/** The rows above an error that may belong to what it broke, such as the head of a function. */
const MOST_ABOVE = 20

/** Names that may be lost to errors, and the symbols around these: a member may be lost too. */
function lostIn(root: Node, text: string, symbols: readonly Declaration[]): Pick<Outline, 'lost'> {
  const errors = errorsIn(root)
  if (errors.length === 0) return {}
  const stretches = errors.map(error => {
    const { startPosition, endIndex, parent } = error
    const isCloseToParent = parent?.parent && startPosition.row - parent.startPosition.row <= MOST_ABOVE
    const first = isCloseToParent ? parent.startIndex : error.startIndex
    const end = text.indexOf('\n', endIndex)
    return { start: text.lastIndexOf('\n', first - 1) + 1, end: end < 0 ? text.length : end }
  })
  const names = new Set(lostNames(text, stretches))
  for (const { from, to } of errors.map(linesOf))
    for (const symbol of symbols) if (symbol.from <= from && symbol.to >= to) names.add(symbol.name)
  return { lost: [...names] }
}

function unreadIn(root: Node, text: string): Pick<FileModel, 'unread' | 'error'> {
  const errors = errorsIn(root)
  const [first] = errors
  if (!first) return {}
  const unreadErrors = errors.filter(({ startIndex, endIndex }) => /\w/.test(text.slice(startIndex, endIndex)))
  const message = first.isMissing ? `Missing ${first.type}` : 'This does not parse'
  return {
    ...(unreadErrors.length > 0 && { unread: unreadErrors.map((error): Unread => unreadAt(error, text)) }),
    error: { at: first.startIndex, message },
  }
}

const unreadAt = (node: Node, text: string): Unread => ({
  ...linesOf(node),
  ...mentionedIn(text, node.startIndex, node.endIndex),
})

/**
 * Visits every node of a tree once, outer before inner. `enter` receives the value of the parent and returns that for
 * the children; undefined skips them.
 */
function walkTree<T>(tree: Tree, root: T, enter: (cursor: TreeCursor, around: T) => T | undefined): void {
  const cursor = tree.walk()
  const around = [root]
  try {
    for (;;) {
      const inside = enter(cursor, around.at(-1) ?? root)
      if (inside !== undefined && cursor.gotoFirstChild()) {
        around.push(inside)
        continue
      }
      while (!cursor.gotoNextSibling()) {
        if (!cursor.gotoParent()) return
        around.pop()
      }
    }
  } finally {
    cursor.delete()
  }
}
