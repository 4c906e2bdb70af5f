import type { CodeSymbol } from './code-symbol.ts'
import type { DeclarationSpan, SyntaxFile } from './syntax-file.ts'

/**
 * The meaning of an expression or a type, as far as its own file tells; the resolver asks other files. A type stands
 * for a value of that type.
 */
export type Value =
  | readonly ['symbol', number]
  | readonly ['import', number]
  /** A name that the file does not declare: a global, or a name of the same package. Empty if unknown. */
  | readonly ['name', string]
  | readonly ['member', Value, string]
  /** The method that an operator such as `+` calls; only if its type is known. */
  | readonly ['sign', Value, string]
  /** An object of a class or type, with its type arguments. */
  | readonly ['instance', Value, ...(Value | null)[]]
  /** The base of the class of this number. */
  | readonly ['super', number]
  | readonly ['result', Value]
  /** An element of a collection, under this key if one is written. */
  | readonly ['element', Value, string?]
  | readonly ['list', Value | null]
  | readonly ['awaited', Value]
  | readonly ['either', ...Value[]]
  | readonly ['function', Value | null, ...(Value | null)[]]
  | readonly ['object', Readonly<Record<string, Value>>]
  /** The value passed as this parameter to a function that is this argument of a call. */
  | readonly ['handed', Value, number, number]
  /** A type parameter of the symbol of this number. */
  | readonly ['parameter', number, number]
  /** A function with the type arguments written at its call. */
  | readonly ['typed', Value, ...(Value | null)[]]

/** How a variable or member is used. */
export type Access = 'read' | 'write' | 'both'

/** A symbol of one file; `parent` leads to the enclosing ones. */
export interface Declaration extends Partial<DeclarationSpan> {
  /** Empty for an unnamed class. */
  readonly name: string
  readonly kind: CodeSymbol['kind'] | 'test' | 'property'
  readonly from: number
  readonly to: number
  /** The number of the enclosing symbol; -1 for the file. */
  readonly parent: number
  readonly exported: boolean
  /** Its head on one line, without its body. */
  readonly signature: string
  /** Names around it that are no declarations here, such as the type of a Rust `impl`. */
  readonly within?: readonly string[]
  /** The value of a variable or property, the result of a function, the target of a type. */
  readonly value?: Value
  readonly params?: readonly (Value | null)[]
  readonly extends?: readonly Value[]
  readonly implements?: readonly Value[]
  /** Each type parameter's value if none is given: its constraint, or else its default. */
  readonly typeParameters?: readonly (Value | null)[]
  /** The minimum and maximum number of arguments; null for no maximum. */
  readonly arity?: readonly [number, number | null]
  /** The trait that it is part of implementing. */
  readonly trait?: Value
  /** The type that it extends, or whose method it is without being inside of it. */
  readonly receiver?: string
  readonly isStatic?: true
  readonly isPrivate?: true
  /** It is marked as an override. */
  readonly isOverride?: true
  /** Parameter types as written, in languages with overloads; empty if none is written. */
  readonly takes?: readonly string[]
  /** What a call may or must write before the argument of each parameter, in languages that have it. */
  readonly labels?: readonly string[]
  /** Its type, or the type of its result, is written. */
  readonly isTyped?: true
  /** The access that runs it. */
  readonly accessor?: Access
  /** Its decorators, the outermost first. */
  readonly decorators?: readonly Value[]
  /** A function that a test runner runs. */
  readonly isTest?: true
}

export interface ImportBinding {
  readonly module: string
  /** `*` for the whole module, `=` for a script's whole export. */
  readonly name: string
  /** Its local name; empty if nothing is bound. */
  readonly local: string
  readonly line: number
}

export interface ExportBinding {
  readonly name: string
  readonly value: Value
}

/** What is written of an argument, in languages with overloads. */
export interface Argument {
  readonly label?: string
  /** A value whose type is written: a literal, a new object, a declared variable, the result of a function. */
  readonly value?: Value
  /** It is a literal or a new object: no check of its type around the call can narrow it. */
  readonly isFixed?: true
}

/** A call or use, and its place. */
export interface Reference {
  readonly kind: 'call' | 'new' | 'use'
  /** The number of the enclosing function, method or class; -1 for the file. */
  readonly by: number
  readonly line: number
  /** Position of the called or used name. */
  readonly at?: number
  readonly value: Value
  /** The number of arguments of a call; -1 if unknown. */
  readonly count?: number
  /** Its arguments; none if nothing of them is known. */
  readonly args?: readonly Argument[]
  /** For a use: how it is accessed, where that may run an accessor. */
  readonly access?: Access
  /** For a use: it is passed on as a value, and may be called from there. */
  readonly handed?: true
}

/** A type that is extended from outside of it, with the bases that this adds. */
export interface Extension {
  readonly type: string
  readonly bases: readonly Value[]
}

/** A text or symbol that may be the name of a function. */
export interface NamedText {
  readonly text: string
  readonly by: number
  readonly line: number
}

/** A place that looks up a function by a computed name. */
export interface Lookup {
  readonly line: number
  /** The names written around it, by which it is judged whose function may be meant. */
  readonly near: readonly string[]
}

/** The common facts of a file. */
interface Read extends Partial<Omit<SyntaxFile, 'spans'>> {
  readonly language: string
  /** Outer before inner, in source order. */
  readonly symbols: readonly Declaration[]
  /** Specifiers whose exports are exported too, except `default`. */
  readonly stars: readonly string[]
}

/** The declarations and exports of one file: everything that is known without resolving a name. */
export interface Outline extends Read {
  /** In source order; `default` stands for a default export. */
  readonly exportNames: readonly string[]
  /** The local name of the default export. */
  readonly defaultName?: string
  /** Sorted. */
  readonly tags: readonly string[]
  /** Names that may be declared where the file does not parse, and those of the symbols around. */
  readonly lost?: readonly string[]
}

/** The symbols of one file and their references. */
export interface FileModel extends Read {
  readonly imports: readonly ImportBinding[]
  readonly exports: readonly ExportBinding[]
  readonly references: readonly Reference[]
  readonly extensions?: readonly Extension[]
  readonly namedTexts?: readonly NamedText[]
  readonly lookups?: readonly Lookup[]
  /** The package, namespace or module that the file declares. */
  readonly package?: string
  readonly isTest?: true
  /** Stretches that do not parse: something may be missing. */
  readonly unread?: readonly Unread[]
  /** Nothing of it could be parsed. */
  readonly isUnparsed?: true
}

/** Unparsable lines, with the names in them, and those that may be declared there. */
export interface Unread {
  readonly from: number
  readonly to: number
  readonly mentions: readonly string[]
  readonly declares: readonly string[]
}

export const EMPTY_MODEL = { symbols: [], imports: [], exports: [], stars: [], references: [] } as const
