import type {
  AssignmentExpression,
  CallExpression,
  Class,
  ExportDefaultDeclaration,
  Node,
  TaggedTemplateExpression,
  VariableDeclarator,
} from 'oxc-parser'
import type { Lines } from '../lines.ts'
import type { ImportBinding, Declaration, Value } from '../file-model.ts'
import { signatureOf } from '../signature.ts'
import type { DeclarationSpan, Stretch } from '../syntax/syntax-file.ts'
import { newScope, type Binding, type FunctionNode, type Notes, type Scope } from './scope.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A symbol while its file is being read: what it means is found when all names are known. */
export interface Draft extends Mutable<Declaration & DeclarationSpan> {
  later?: () => Partial<Declaration>
}

/** Where something is declared. */
export interface Place {
  readonly scope: Scope
  /** The symbol around it. */
  readonly parent: number
  readonly inFunction: boolean
}

/** How much is read of a file: what nobody asks for is not paid for. */
export interface Depth {
  /** What names stand for, and what is called and used. */
  readonly meaning?: true
  /** The entries of objects and enums as symbols of their own, and texts of many lines. */
  readonly entries?: true
  /** Framework and kind. */
  readonly tags?: true
}

/** Looks on while a file is walked, outer before inner. */
export interface Watcher {
  enter?(node: FunctionNode): void
  leave?(node: FunctionNode): void
  class?(node: Class): void
  declarator?(node: VariableDeclarator): void
  assignment?(node: AssignmentExpression, at: Place): void
  /** With the dotted name of what is called. */
  call?(node: CallExpression, at: Place, name: string | undefined): void
  tagged?(node: TaggedTemplateExpression): void
  markup?(): void
  exportDefault?(node: ExportDefaultDeclaration): void
}

/** What is gathered while one file is read. */
export interface Reading extends Depth, Notes {
  readonly text: string
  readonly lines: Lines
  readonly drafts: Draft[]
  readonly imports: ImportBinding[]
  readonly literals: Stretch[]
  /** The last symbol of a name in what it stands in, for as many symbols as were looked at. */
  readonly lastNamed: { upTo: number; readonly numbers: Map<string, number> }
  /** Functions that are arguments of a call. */
  readonly handedTo: Map<
    Node,
    {
      readonly callee: Binding
      readonly argument: number
      /** The type that the call itself names for it. */
      readonly told: Binding
    }
  >
  /** Objects that a name stands for, with that name. */
  readonly selfOf: Map<Node, Value>
  /** Functions of which only heads have been seen so far, with the last of these. */
  readonly heads: Map<number, Stretch>
  /** Calls of a test runner are tests. */
  readonly isTest: boolean
  readonly watchers: readonly Watcher[]
  /** Declares what a node holds; of a declaration with the statement that it is all of, so that its `export` belongs to it. */
  walk(node: Node, at: Place, around?: Node): void
  walkInside(node: Node, at: Place): void
}

interface Added {
  readonly name: string
  readonly kind: Declaration['kind']
  readonly parent: number
  readonly exported?: boolean
  /** All of it, with what belongs to it. */
  readonly whole: Node
  readonly nameAt: number
  readonly body?: Stretch | null | undefined
  readonly isStatic?: boolean
  readonly shares?: boolean
  readonly later?: () => Partial<Declaration>
}

/** Adds a symbol and gives its number; an outline has no fields. */
export function addSymbol(reading: Reading, added: Added): number {
  const { name, kind, parent, exported = false, whole, nameAt, body } = added
  const { lines, drafts } = reading
  if (kind === 'property' && !reading.meaning && !reading.entries) {
    // Heads of functions around it are no longer one behind the other.
    reading.heads.delete(drafts.length - 1)
    return -1
  }
  const own = 'declaration' in whole && whole.declaration ? whole.declaration : whole
  const decorators = decoratorsOf(own)
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
    headAt: headOf(reading.text, own, decorators),
  }
  if (body) draft.body = { start: body.start, end: body.end }
  if (added.isStatic) draft.isStatic = true
  if (added.shares) draft.shares = true
  if (reading.meaning) {
    const last = decorators.at(-1)
    const head = last && last.start >= whole.start ? last.end : whole.start
    if (kind !== 'property')
      draft.signature = signatureOf(reading.text, head, (kind === 'type' ? undefined : body?.start) ?? whole.end)
    if (added.later) draft.later = added.later
  }
  drafts.push(draft)
  return drafts.length - 1
}

/** Adds what a statement declares, and notes which symbol that is. */
export function addNamed(
  reading: Reading,
  node: Node,
  at: Place,
  around: Node | undefined,
  own: Pick<Added, 'name' | 'kind' | 'nameAt' | 'body' | 'later'>,
  add = addSymbol,
): number {
  const number = add(reading, {
    ...own,
    parent: at.parent,
    exported: isExport(around),
    whole: around ?? node,
  })
  reading.symbolOf.set(node, number)
  return number
}

/** Adds a function or method, or a head or the body to the one whose heads stand right before it: those are one symbol. */
export function addFunction(reading: Reading, added: Added): number {
  const before = reading.drafts.length - 1
  const draft = reading.drafts[before]
  const head = reading.heads.get(before)
  if (!draft || !head || draft.name !== added.name || draft.parent !== added.parent) {
    const number = addSymbol(reading, added)
    if (!added.body) reading.heads.set(number, { start: added.whole.start, end: added.whole.end })
    return number
  }
  const { whole, body, nameAt } = added
  draft.heads = [...(draft.heads ?? []), head]
  draft.to = Math.max(draft.to, reading.lines.of(Math.max(whole.end - 1, 0)))
  draft.end = whole.end
  draft.nameAt = nameAt
  const own = 'declaration' in whole && whole.declaration ? whole.declaration : whole
  draft.headAt = headOf(reading.text, own, decoratorsOf(own))
  if (body) {
    draft.body = { start: body.start, end: body.end }
    reading.heads.delete(before)
  } else reading.heads.set(before, { start: whole.start, end: whole.end })
  return before
}

/** The last symbol of this name that stands in another. */
export function symbolNamed({ drafts, lastNamed }: Reading, parent: number, name: string): number | undefined {
  const { numbers } = lastNamed
  // Few files ask.
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

/** The names of what a node encloses; one for all where nobody asks what names stand for. */
export function openScope(reading: Reading, node: Node, around: Scope, isFunction = false, self?: Value | null): Scope {
  if (!reading.meaning) return around
  const scope = newScope(reading, around, isFunction, self)
  reading.scopeOf.set(node, scope)
  return scope
}

export const isExport = (node: Node | undefined): boolean =>
  node?.type === 'ExportNamedDeclaration' || node?.type === 'ExportDefaultDeclaration'

/** Where a declaration begins behind its decorators. */
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
