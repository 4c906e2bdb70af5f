import type { Node } from 'web-tree-sitter'
import type { GrammarLanguage } from '../../../languages/grammar/grammar-language.ts'
import { importsIn } from '../../../languages/grammar/describe.ts'
import { fromTree } from '../grammar/from-tree.ts'
import { stringKind, type WrittenName } from './occurrence.ts'

/** Occurrences of a name in a file that tree-sitter parses. */
export async function grammarOccurrences(
  path: string,
  language: string,
  text: string,
  name: string,
  places: readonly number[],
): Promise<readonly WrittenName[] | undefined> {
  return fromTree(path, language, text, ({ rootNode: root }, described) => {
    const modules = described.namesModules ? importedIn(root, described) : new Map<string, string>()
    return places.map(start => {
      const node = root.descendantForIndex(start, start + name.length) ?? root
      const occurrence = kindOf(node, text, name, start)
      const module =
        occurrence.kind === 'name' || occurrence.kind === 'member' ? modules.get(rootOf(text, name, start)) : undefined
      return { start, ...occurrence, ...(module !== undefined && { of: module }) }
    })
  })
}

function kindOf(node: Node, text: string, name: string, start: number): Omit<WrittenName, 'start'> {
  for (let each: Node | null = node; each; each = each.parent) {
    if (/comment/.test(each.type)) return { kind: 'text' }
    // Interpolated text is code again.
    if (/^(?:interpolation|format_expression|string_interpolation|interpolated_expression)$/.test(each.type)) break
    if (
      /^(?:string|string_literal|interpreted_string_literal|raw_string_literal|char_literal|concatenated_string|heredoc_body|line_string_literal|encapsed_string|verbatim_string_literal)$/.test(
        each.type,
      )
    )
      return inString(outermost(each), text, name, start)
    if (/^preproc_(?:arg|params)$/.test(each.type)) return { kind: 'macro' }
    if (/^(?:dotted_name|relative_import)$/.test(each.type)) return inModule(each, start)
  }
  const { parent } = node
  if (parent?.type === 'function_definition' && /class/.test(holderOf(parent))) return { kind: 'member' }
  if (parent?.type === 'keyword_argument' && parent.childForFieldName('name')?.startIndex === start)
    return { kind: 'member' }
  return { kind: /(?:\.|->|::)\s*$/.test(text.slice(Math.max(0, start - 100), start)) ? 'member' : 'name' }
}

/** The parent of a function, outside of its decorators. */
const holderOf = ({ parent }: Node): string =>
  (parent?.type === 'decorated_definition' ? parent.parent?.parent : parent?.parent)?.type ?? ''

/** `import a.name` and `from a.name import b` name modules; `from a import name` names a member of one. */
function inModule(dotted: Node, start: number): Omit<WrittenName, 'start'> {
  const statement = dotted.parent?.type === 'aliased_import' ? dotted.parent.parent : dotted.parent
  const isFrom = statement?.type === 'import_from_statement'
  const module = statement?.childForFieldName('module_name')
  if (!isFrom && !/import|future/.test(statement?.type ?? '')) return { kind: 'name' }
  if (!isFrom || (module && module.startIndex <= start && module.endIndex > start)) return { kind: 'module' }
  return { kind: 'name' }
}

const outermost = (node: Node): Node =>
  /string/.test(node.parent?.type ?? '') && node.parent ? outermost(node.parent) : node

function inString(whole: Node, text: string, name: string, start: number): Omit<WrittenName, 'start'> {
  const literal = text.slice(whole.startIndex, whole.endIndex)
  const [, quote = ''] = /^[a-zA-Z]*("""|'''|["'`])/.exec(literal) ?? []
  const open = literal.indexOf(quote) + quote.length
  const content = quote === '' ? literal : literal.slice(open, -quote.length)
  const { parent } = whole
  if (parent?.type === 'expression_statement') return { kind: 'text' }
  const callee = calleeOf(whole)
  const kind = stringKind(content, name, start - whole.startIndex - open, callee)
  if (
    kind === 'string' &&
    content === name &&
    parent?.type === 'pair' &&
    parent.child(0)?.startIndex === whole.startIndex
  )
    return { kind: 'key' }
  return { kind, ...(callee !== undefined && { of: callee }) }
}

/** The call, lookup or list that contains a string. */
function calleeOf(node: Node): string | undefined {
  for (let each = node.parent; each; each = each.parent) {
    if (/^(?:subscript|index_expression|element_reference)/.test(each.type))
      return `${(each.childForFieldName('value') ?? each.child(0))?.text.slice(-40) ?? ''}[]`
    if (/call|invocation|creation/.test(each.type)) {
      const callee = each.childForFieldName('function') ?? each.childForFieldName('method') ?? each.child(0)
      // A string that is itself the receiver is not an argument.
      return callee && callee.endIndex < node.endIndex ? callee.text.slice(-80) : undefined
    }
    if (each.type === 'assignment') return each.childForFieldName('left')?.text.slice(-40)
    // A compared or concatenated string is not passed on.
    if (/statement|body|block|operator|comparison|binary/.test(each.type)) return undefined
  }
  return undefined
}

/** The first name of a chain. */
function rootOf(text: string, name: string, start: number): string {
  const [, root = name] =
    /([\p{ID_Continue}]+)(?:\.[\p{ID_Continue}]+)*\.$/u.exec(text.slice(Math.max(0, start - 200), start)) ?? []
  return root
}

/** The imported modules of a file by local name. */
const importedIn = (root: Node, rules: GrammarLanguage): ReadonlyMap<string, string> =>
  new Map(importsIn(rules, root).flatMap(({ local, module }) => (local === '' ? [] : [[local, module] as const])))
