import { addCommand, entryOf, newOutline, type Outline } from './outline.ts'

/** A node of the syntax tree, as web-tree-sitter returns it. */
export interface SyntaxNode {
  readonly type: string
  readonly text: string
  readonly startIndex: number
  readonly endIndex: number
  readonly isNamed: boolean
  readonly hasError: boolean
  readonly children: readonly (SyntaxNode | null)[]
}

/** Returns the parts of a line according to tree-sitter-bash; undefined if the line did not fit the grammar. */
export function outlineOfTree(root: SyntaxNode): Outline | undefined {
  if (root.hasError) return undefined
  const walk: Walk = { text: root.text, commands: [], assignments: [], redirections: [] }
  visit(walk, root)
  const outline = newOutline()
  for (const spans of walk.commands) addCommand(outline, commandIn(joinSpans(spans)))
  for (const text of walk.assignments) outline.assignments.push(entryOf([text]))
  for (const text of walk.redirections) outline.redirections.push(entryOf([text]))
  return outline
}

interface Span {
  readonly start: number
  readonly end: number
  readonly text: string
}

interface Walk {
  readonly text: string
  readonly commands: Span[][]
  readonly assignments: string[]
  readonly redirections: string[]
}

const spanOf = ({ startIndex, endIndex, text }: SyntaxNode): Span => ({ start: startIndex, end: endIndex, text })

const childrenOf = ({ children }: SyntaxNode): readonly SyntaxNode[] => children.filter(child => child !== null)

/**
 * Collects a node; returns the words of its last simple command, which the grammar may continue after a redirection.
 */
function visit(walk: Walk, node: SyntaxNode): Span[] | undefined {
  switch (node.type) {
    case 'command':
    case 'declaration_command':
    case 'unset_command':
      return visitCommand(walk, node)
    case 'test_command':
      return visitTest(walk, node)
    case 'redirected_statement':
      return visitRedirected(walk, node)
    case 'variable_assignment':
      walk.assignments.push(node.text)
      return visitAll(walk, node)
    case 'file_redirect':
    case 'herestring_redirect':
    case 'heredoc_redirect':
      return visitRedirection(walk, node, undefined)
    case 'for_statement':
      return visitLoop(walk, node)
    case 'function_definition':
      return visitFunction(walk, node)
    case 'comment':
    case 'raw_string':
    case 'ansi_c_string':
      return undefined
    default:
      return visitAll(walk, node)
  }
}

function visitAll(walk: Walk, node: SyntaxNode): Span[] | undefined {
  let last: Span[] | undefined
  for (const child of childrenOf(node)) last = visit(walk, child) ?? last
  return CONTINUED.has(node.type) ? last : undefined
}

/** Nodes that end in a simple command to which a redirection after it belongs. */
const CONTINUED = new Set(['list', 'pipeline', 'negated_command'])

function visitCommand(walk: Walk, node: SyntaxNode): Span[] {
  const words: Span[] = []
  const isDeclaration = node.type !== 'command'
  for (const child of childrenOf(node)) {
    if (isRedirection(child)) visitRedirection(walk, child, words)
    else {
      // `time ( … )` is a command to the grammar.
      const isWord = child.type !== 'subshell' && (isDeclaration || child.type !== 'variable_assignment')
      if (isWord) words.push(spanOf(child))
      if (child.type === 'variable_assignment' && isDeclaration) visitAll(walk, child)
      else visit(walk, child)
    }
  }
  walk.commands.push(words)
  return words
}

const isRedirection = ({ type }: SyntaxNode): boolean => type.endsWith('_redirect')

/** `[ … ]` is an ordinary command; `[[ … ]]` and `(( … ))` are not. */
function visitTest(walk: Walk, node: SyntaxNode): Span[] | undefined {
  const [first] = childrenOf(node)
  if (first?.type !== '[') {
    visitAll(walk, node)
    return undefined
  }
  const words = leavesOf(node)
  walk.commands.push(words)
  visitAll(walk, node)
  return words
}

const EXPRESSIONS = new Set(['test_command', 'unary_expression', 'binary_expression', 'parenthesized_expression'])

const leavesOf = (node: SyntaxNode): Span[] =>
  EXPRESSIONS.has(node.type) ? childrenOf(node).flatMap(leavesOf) : [spanOf(node)]

function visitRedirected(walk: Walk, node: SyntaxNode): Span[] | undefined {
  let words: Span[] | undefined
  const ownSpans: Span[] = []
  let end = node.startIndex
  for (const child of childrenOf(node)) {
    const between = walk.text.slice(end, child.startIndex)
    // The grammar loses a `-` before a here-document.
    if (between.trim() === '-')
      (words ?? ownSpans).push({ start: end + between.indexOf('-'), end: child.startIndex, text: '-' })
    if (isRedirection(child)) visitRedirection(walk, child, words ?? ownSpans)
    else words = visit(walk, child)
    end = child.endIndex
  }
  if (ownSpans.length > 0) walk.commands.push(ownSpans)
  return words
}

/** The grammar takes words after a target for further targets; they are arguments of the command before it. */
function visitRedirection(walk: Walk, node: SyntaxNode, command: Span[] | undefined): undefined {
  let operator = ''
  let target: string | undefined
  const words: Span[] = []
  for (const child of childrenOf(node)) {
    if (child.type === 'file_descriptor' || child.type === 'heredoc_body' || child.type === 'heredoc_end') {
      visit(walk, child)
    } else if (isRedirection(child)) visitRedirection(walk, child, command ?? words)
    else if (operator === '' && !child.isNamed) operator = child.type
    else if (STATEMENTS.has(child.type)) visit(walk, child)
    else if (!child.isNamed && node.type === 'heredoc_redirect') continue
    else {
      if (target === undefined) target = child.text
      else (command ?? words).push(spanOf(child))
      visit(walk, child)
    }
  }
  walk.redirections.push(operator + (target ?? ''))
  if (command === undefined && words.length > 0) walk.commands.push(words)
}

const STATEMENTS = new Set([
  'command',
  'declaration_command',
  'unset_command',
  'test_command',
  'negated_command',
  'pipeline',
  'list',
  'redirected_statement',
  'subshell',
  'compound_statement',
  'if_statement',
  'while_statement',
  'for_statement',
  'case_statement',
  'function_definition',
  'variable_assignment',
  'variable_assignments',
  'comment',
])

function visitLoop(walk: Walk, node: SyntaxNode): undefined {
  const words: Span[] = []
  let isHead = true
  for (const child of childrenOf(node)) {
    if (child.type === 'do_group' || child.type === 'compound_statement') isHead = false
    if (isHead && child.isNamed && child.type !== 'comment') words.push(spanOf(child))
    visit(walk, child)
  }
  walk.commands.push([{ start: -2, end: -2, text: 'for' }, ...words])
}

function visitFunction(walk: Walk, node: SyntaxNode): undefined {
  const name = childrenOf(node).find(({ type }) => type === 'word')
  if (name) walk.commands.push([{ start: -2, end: -2, text: 'function' }, spanOf(name)])
  visitAll(walk, node)
}

/** Returns the words of a command in order, joining parts without a blank between them. */
function joinSpans(spans: readonly Span[]): readonly string[] {
  const words: string[] = []
  let end = -1
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    if (span.start === end) words[words.length - 1] += span.text
    else words.push(span.text)
    end = span.end
  }
  return words
}

/** The grammar takes keywords before a command for its name, and arithmetic for a command. */
function commandIn(words: readonly string[]): readonly string[] {
  let start = 0
  for (;;) {
    const word = words[start] ?? ''
    if (word === 'time') start += words[start + 1] === '-p' ? 2 : 1
    else if (word === 'coproc' || word === '!' || word.startsWith('((')) start++
    else return words.slice(start)
  }
}
