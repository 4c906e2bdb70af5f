import type { CodeSymbol } from './code-symbol.ts'
import type { DeclarationSpan, SyntaxFile } from './syntax/syntax-file.ts'

/**
 * What an expression or a type means, as far as its own file says; other files are asked when a graph is made.
 * A type stands for a value of that type.
 */
export type Value =
  | readonly ['symbol', number]
  | readonly ['import', number]
  /** A name that the file does not declare: a global, or something of the same package. Empty where nobody can say. */
  | readonly ['name', string]
  | readonly ['member', Value, string]
  /** The method that a sign such as `+` stands for; only where its type is known. */
  | readonly ['sign', Value, string]
  /** An object of a class or type, with its type arguments. */
  | readonly ['instance', Value, ...(Value | null)[]]
  /** What the class of this number inherits from. */
  | readonly ['super', number]
  | readonly ['result', Value]
  /** One of what a collection holds, under this key where one is written. */
  | readonly ['element', Value, string?]
  | readonly ['list', Value | null]
  | readonly ['awaited', Value]
  | readonly ['either', ...Value[]]
  | readonly ['function', Value | null, ...(Value | null)[]]
  | readonly ['object', Readonly<Record<string, Value>>]
  /** What a function that is handed over as this argument gets as this parameter. */
  | readonly ['handed', Value, number, number]
  /** A type parameter of the symbol of this number. */
  | readonly ['parameter', number, number]
  /** A function with the type arguments that are written where it is called. */
  | readonly ['typed', Value, ...(Value | null)[]]

/** A symbol of one file; those around it are found by `parent`. */
export interface Declaration extends Partial<DeclarationSpan> {
  /** Empty for a class that has none. */
  readonly name: string
  readonly kind: CodeSymbol['kind'] | 'test' | 'property'
  readonly from: number
  readonly to: number
  /** The number of the symbol that it stands in; -1 where that is the file. */
  readonly parent: number
  readonly exported: boolean
  /** Its head on one line, without its body. */
  readonly signature: string
  /** Names around it that are no declarations here, such as the type that Rust implements something for. */
  readonly within?: readonly string[]
  /** Of a variable or property its value, of a function what it gives, of a type what it stands for. */
  readonly value?: Value
  readonly params?: readonly (Value | null)[]
  readonly extends?: readonly Value[]
  readonly implements?: readonly Value[]
  /** What each type parameter stands for where nobody says: its constraint, or else its default. */
  readonly typeParameters?: readonly (Value | null)[]
  /** The fewest and the most arguments that it takes; null if there is no most. */
  readonly arity?: readonly [number, number | null]
  /** The type that it is an extension of, or that it is a method of without standing in it. */
  readonly receiver?: string
  readonly isStatic?: true
  readonly isPrivate?: true
  /** It says that it overrides another. */
  readonly isOverride?: true
  /** The types of its parameters as they are written, in languages that tell methods of one name apart by them. */
  readonly takes?: readonly string[]
  /** Reading it runs it. */
  readonly isAccessor?: true
  /** What it is handed to before anybody sees it, the outermost first. */
  readonly decorators?: readonly Value[]
  /** A function that a test runner runs. */
  readonly isTest?: true
}

export interface ImportBinding {
  readonly module: string
  /** `*` for the whole module, `=` for what a script hands out as a whole. */
  readonly name: string
  /** What it is called here; empty where nothing is bound. */
  readonly local: string
  readonly line: number
}

export interface ExportBinding {
  readonly name: string
  readonly value: Value
}

/** Something that is called or used, and where. */
export interface Reference {
  readonly kind: 'call' | 'new' | 'use'
  /** The number of the function, method or class that it stands in; -1 for the file. */
  readonly by: number
  readonly line: number
  /** Where the name is written that is called or used. */
  readonly at?: number
  readonly value: Value
  /** How many arguments a call has; -1 where that cannot be told. */
  readonly count?: number
  /** Of a use: it goes on as a value, and may be called from there. */
  readonly handed?: true
}

/** What anybody who reads a file is told of it. */
interface Read extends Partial<Omit<SyntaxFile, 'spans'>> {
  readonly language: string
  /** Outer before inner, in the order of the source. */
  readonly symbols: readonly Declaration[]
  /** Specifiers whose exports are exported too, except `default`. */
  readonly stars: readonly string[]
}

/** What one file declares and gives to others: all that is known without following a name. */
export interface Outline extends Read {
  /** In the order of the source; `default` stands for a default export. */
  readonly exportNames: readonly string[]
  /** What the default export is called inside the file. */
  readonly defaultName?: string
  /** Sorted. */
  readonly tags: readonly string[]
}

/** What one file says about its symbols and what they refer to. */
export interface FileModel extends Read {
  readonly imports: readonly ImportBinding[]
  readonly exports: readonly ExportBinding[]
  readonly references: readonly Reference[]
  /** The package, namespace or module that the file declares itself part of. */
  readonly package?: string
  readonly isTest?: true
  /** Where it does not parse, so that something may be missing. */
  readonly unread?: readonly Unread[]
  /** Nobody could parse any of it. */
  readonly isUnparsed?: true
}

/** Lines that nobody could make out, with the names in them, and those of them that may be declared there. */
export interface Unread {
  readonly from: number
  readonly to: number
  readonly mentions: readonly string[]
  readonly declares: readonly string[]
}

export const EMPTY_MODEL = { symbols: [], imports: [], exports: [], stars: [], references: [] } as const
