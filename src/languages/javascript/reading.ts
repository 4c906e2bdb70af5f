import type {
  AssignmentExpression,
  CallExpression,
  Class,
  ExportDefaultDeclaration,
  Node,
  TaggedTemplateExpression,
  VariableDeclarator,
} from 'oxc-parser'
import type { Lines } from '../file-model/lines.ts'
import type { ImportBinding, Declaration, Value } from '../file-model/file-model.ts'
import { signatureOf } from '../file-model/signature.ts'
import type { DeclarationSpan, Stretch } from '../file-model/syntax-file.ts'
import { newScope, type Binding, type FunctionNode, type Notes, type Scope } from './scope.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A symbol while its file is being read: its meaning is resolved when all names are known. */
export interface Draft extends Mutable<Declaration & DeclarationSpan> {
  later?: () => Partial<Declaration>
}

/** The place of a declaration. */
export interface Place {
  readonly scope: Scope
  /** The enclosing symbol. */
  readonly parent: number
  readonly inFunction: boolean
}

/** How much of a file to read: unneeded facts cost nothing. */
export interface Depth {
  /** The values of names, calls and uses. */
  readonly meaning?: true
  /** Entries of objects and enums as symbols, and multi-line strings. */
  readonly entries?: true
  /** Framework and kind. */
  readonly tags?: true
}

/** Observes the walk of a file, outer before inner. */
export interface Watcher {
  enter?(node: FunctionNode): void
  leave?(node: FunctionNode): void
  class?(node: Class): void
  declarator?(node: VariableDeclarator): void
  assignment?(node: AssignmentExpression, at: Place): void
  /** With the dotted name of the callee. */
  call?(node: CallExpression, at: Place, name: string | undefined): void
  tagged?(node: TaggedTemplateExpression): void
  markup?(): void
  exportDefault?(node: ExportDefaultDeclaration): void
}

/** The facts collected while one file is read. */
export interface Reading extends Depth, Notes {
  readonly text: string
  readonly lines: Lines
  readonly drafts: Draft[]
  readonly imports: ImportBinding[]
  readonly literals: Stretch[]
  /** The last symbol of each name and parent, up to the symbols indexed so far. */
  readonly lastNamed: { upTo: number; readonly numbers: Map<string, number> }
  /** Functions that are arguments of a call. */
  readonly handedTo: Map<
    Node,
    {
      readonly callee: Binding
      readonly argument: number
      /** The type that the call gives it. */
      readonly told: Binding
    }
  >
  /** Objects with a name, and that name. */
  readonly selfOf: Map<Node, Value>
  /** Functions of which only overload heads were seen so far, with the last head. */
  readonly heads: Map<number, Stretch>
  /** Calls of a test runner are tests. */
  readonly isTest: boolean
  readonly watchers: readonly Watcher[]
  /** Declares the contents of a node. `around`: the statement of a declaration, so that its `export` belongs to it. */
  walk(node: Node, at: Place, around?: Node): void
  walkInside(node: Node, at: Place): void
}

interface Added {
  readonly name: string
  readonly kind: Declaration['kind']
  readonly parent: number
  readonly exported?: boolean
  /** The whole declaration, with its decorators and `export`. */
  readonly whole: Node
  readonly nameAt: number
  readonly body?: Stretch | null | undefined
  readonly isStatic?: boolean
  readonly shares?: boolean
  readonly later?: () => Partial<Declaration>
}

/** Adds a symbol and returns its number; an outline has no fields. */
export function addSymbol(reading: Reading, details: Added): number {
  const { name, kind, parent, exported = false, whole, nameAt, body } = details
  const { lines, drafts } = reading
  if (kind === 'property' && !reading.meaning && !reading.entries) {
    // Heads of enclosing functions are no longer adjacent.
    reading.heads.delete(drafts.length - 1)
    return -1
  }
  const declaration = 'declaration' in whole && whole.declaration ? whole.declaration : whole
  const decorators = decoratorsOf(declaration)
  const start = Math.min(whole.start, decorators[0]?.start ?? whole.start)
  const draft: Draft = {
    name,
    kind,
    from: lines.of(start),
    to: lines.of(Math.max(whole.end - 1, whole.start)),
    parent,
    exported,
    signature: '',
    start,
    end: whole.end,
    nameAt,
    headAt: headOf(reading.text, declaration, decorators),
  }
  if (body) draft.body = { start: body.start, end: body.end }
  if (details.isStatic) draft.isStatic = true
  if (details.shares) draft.shares = true
  if (reading.meaning) {
    const last = decorators.at(-1)
    const head = last && last.start >= whole.start ? last.end : whole.start
    if (kind !== 'property')
      draft.signature = signatureOf(reading.text, head, (kind === 'type' ? undefined : body?.start) ?? whole.end)
    if (details.later) draft.later = details.later
  }
  drafts.push(draft)
  return drafts.length - 1
}

/** Adds the declaration of a statement, and records its symbol. */
export function addNamed(
  reading: Reading,
  node: Node,
  at: Place,
  around: Node | undefined,
  details: Pick<Added, 'name' | 'kind' | 'nameAt' | 'body' | 'later'>,
  add = addSymbol,
): number {
  const number = add(reading, {
    ...details,
    parent: at.parent,
    exported: isExport(around),
    whole: around ?? node,
  })
  reading.symbolOf.set(node, number)
  return number
}

/**
 * Adds a function or method, or adds a head or the body to the function whose heads directly precede it: those are one
 * symbol.
 */
export function addFunction(reading: Reading, details: Added): number {
  const before = reading.drafts.length - 1
  const draft = reading.drafts[before]
  const head = reading.heads.get(before)
  if (!draft || !head || draft.name !== details.name || draft.parent !== details.parent) {
    const number = addSymbol(reading, details)
    if (!details.body) reading.heads.set(number, { start: details.whole.start, end: details.whole.end })
    return number
  }
  const { whole, body, nameAt } = details
  draft.heads = [...(draft.heads ?? []), head]
  draft.to = Math.max(draft.to, reading.lines.of(Math.max(whole.end - 1, 0)))
  draft.end = whole.end
  draft.nameAt = nameAt
  const declaration = 'declaration' in whole && whole.declaration ? whole.declaration : whole
  draft.headAt = headOf(reading.text, declaration, decoratorsOf(declaration))
  if (body) {
    draft.body = { start: body.start, end: body.end }
    reading.heads.delete(before)
  } else reading.heads.set(before, { start: whole.start, end: whole.end })
  return before
}

/** The last child symbol of this name. */
export function symbolNamed({ drafts, lastNamed }: Reading, parent: number, name: string): number | undefined {
  const { numbers } = lastNamed
  // Indexed on demand: few files need it.
  for (; lastNamed.upTo < drafts.length; lastNamed.upTo++) {
    const draft = drafts[lastNamed.upTo]
    numbers.set(`${draft?.parent} ${draft?.name}`, lastNamed.upTo)
  }
  return numbers.get(`${parent} ${name}`)
}

export function addImport(reading: Reading, node: Node, module: string, name: string, local: string): Value {
  reading.imports.push({ module, name, local, line: reading.lines.of(node.start) })
  return ['import', reading.imports.length - 1]
}

/** The scope of a node; a single one for the file if values of names are not requested. */
export function openScope(reading: Reading, node: Node, around: Scope, isFunction = false, self?: Value | null): Scope {
  if (!reading.meaning) return around
  const scope = newScope(reading, around, isFunction, self)
  reading.scopeOf.set(node, scope)
  return scope
}

export const isExport = (node: Node | undefined): boolean =>
  node?.type === 'ExportNamedDeclaration' || node?.type === 'ExportDefaultDeclaration'

/** The start of a declaration after its decorators. */
function headOf(text: string, { start }: Node, decorators: readonly Node[]): number {
  const last = decorators.at(-1)
  if (!last || last.end <= start) return start
  return last.end + (/^\s*/.exec(text.slice(last.end, last.end + 500))?.[0].length ?? 0)
}

const NONE: readonly Node[] = []

function decoratorsOf(node: Node): readonly Node[] {
  if (!('decorators' in node) || !node.decorators) return NONE
  return node.decorators
}
