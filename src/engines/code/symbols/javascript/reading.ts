import type { Node } from 'oxc-parser'
import type { Lines } from '../../../index/facts/lines.ts'
import type { OwnImport, OwnSymbol, Value } from '../file-code.ts'
import { signatureOf } from '../signature.ts'
import type { Binding, Scope } from './scope.ts'

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

/** A symbol while its file is being read: what it means is found when all names are known. */
export interface Draft extends Mutable<OwnSymbol> {
  later?: () => Partial<OwnSymbol>
}

/** Where something is declared. */
export interface Place {
  readonly scope: Scope
  /** The symbol around it. */
  readonly parent: number
  readonly inFunction: boolean
  /** The statement that a declaration is all of, so that its `export` and `const` belong to it. */
  readonly around?: Node | undefined
  /** What `this` is in methods of the object that it is a part of. */
  readonly self?: Value | undefined
}

/** What is gathered while one file is read. */
export interface Reading {
  readonly text: string
  readonly lines: Lines
  readonly drafts: Draft[]
  readonly imports: OwnImport[]
  /** The symbol that a function, class, type or test is. */
  readonly symbolOf: Map<Node, number>
  readonly importOf: Map<Node, number>
  readonly scopeOf: Map<Node, Scope>
  /** Functions that are arguments of a call. */
  readonly handedTo: Map<
    Node,
    {
      readonly callee: Binding
      readonly argument: number
      /** The type that the call itself names for it. */
      readonly told?: Binding
    }
  >
  /** Objects that a name stands for, with that name. */
  readonly selfOf: Map<Node, Value>
  /** Functions of which only heads have been seen so far. */
  readonly overloads: Set<number>
  /** Calls of a test runner are tests. */
  readonly isTest: boolean
}

export interface Added {
  readonly name: string
  readonly kind: OwnSymbol['kind']
  readonly parent: number
  readonly exported?: boolean
  /** All of it, with what belongs to it. */
  readonly whole: Node
  /** Where its body begins. */
  readonly bodyAt?: number | undefined
  readonly isStatic?: boolean
  readonly later?: () => Partial<OwnSymbol>
}

/** Adds a symbol and gives its number. */
export function addSymbol(reading: Reading, { name, kind, parent, exported = false, whole, ...more }: Added): number {
  const { lines, text, drafts } = reading
  const start = Math.min(whole.start, firstDecorator(whole)?.start ?? whole.start)
  drafts.push({
    name,
    kind,
    from: lines.of(start),
    to: lines.of(Math.max(whole.end - 1, whole.start)),
    parent,
    exported,
    signature: kind === 'property' ? '' : signatureOf(text, headStart(whole), more.bodyAt ?? whole.end),
    ...(more.isStatic && { isStatic: true }),
    ...(more.later && { later: more.later }),
  })
  return drafts.length - 1
}

export function addImport(reading: Reading, node: Node, module: string, name: string, local: string): Value {
  reading.imports.push({ module, name, local, line: reading.lines.of(node.start) })
  return ['import', reading.imports.length - 1]
}

const decoratorsOf = (node: Node): readonly Node[] => {
  const list: unknown = Reflect.get(node, 'decorators')
  return Array.isArray(list) ? list : []
}

const firstDecorator = (node: Node): Node | undefined => decoratorsOf(node)[0]

/** A signature begins behind the decorators. */
const headStart = (node: Node): number => {
  const last = decoratorsOf(node).at(-1)
  return last && last.start >= node.start ? last.end : node.start
}
