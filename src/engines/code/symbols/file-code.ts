import type { CodeSymbol } from '../../index/types.ts'

/**
 * What an expression or a type means, as far as its own file says; other files are asked when a graph is made.
 * A type stands for a value of that type.
 */
export type Value =
  | readonly ['symbol', number]
  | readonly ['import', number]
  /** A name that the file does not declare: a global, or something of the same package. */
  | readonly ['name', string]
  | readonly ['member', Value, string]
  /** The method that a sign such as `+` stands for; only where its type is known. */
  | readonly ['sign', Value, string]
  /** An object of a class or type, with its type arguments. */
  | readonly ['instance', Value, ...(Value | null)[]]
  /** What the class of this number inherits from. */
  | readonly ['super', number]
  | readonly ['result', Value]
  | readonly ['element', Value]
  | readonly ['list', Value | null]
  | readonly ['awaited', Value]
  | readonly ['either', ...Value[]]
  | readonly ['function', Value | null, ...(Value | null)[]]
  | readonly ['object', Readonly<Record<string, Value>>]
  /** What a function that is handed over as this argument gets as this parameter. */
  | readonly ['handed', Value, number, number]

/** A symbol of one file; those around it are found by `parent`. */
export interface OwnSymbol {
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
  /** Of a variable or property its value, of a function what it gives, of a type what it stands for. */
  readonly value?: Value
  readonly params?: readonly (Value | null)[]
  readonly extends?: readonly Value[]
  readonly implements?: readonly Value[]
  /** The fewest and the most arguments that it takes; null where there is no most. */
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
  /** A function that a test runner runs. */
  readonly isTest?: true
}

export interface OwnImport {
  readonly module: string
  /** `*` for the whole module, `=` for what a script hands out as a whole. */
  readonly name: string
  /** What it is called here; empty where nothing is bound. */
  readonly local: string
  readonly line: number
}

export interface OwnExport {
  readonly name: string
  readonly value: Value
}

/** Something that is called or used, and where. */
export interface Reference {
  readonly kind: 'call' | 'new' | 'use'
  /** The number of the function, method or class that it stands in; -1 for the file. */
  readonly by: number
  readonly line: number
  readonly value: Value
  /** How many arguments a call has; -1 where that cannot be told. */
  readonly count?: number
}

/** What one file says about its symbols and what they refer to. */
export interface FileCode {
  readonly language: string
  /** Outer before inner, in the order of the source. */
  readonly symbols: readonly OwnSymbol[]
  readonly imports: readonly OwnImport[]
  readonly exports: readonly OwnExport[]
  /** Specifiers whose exports are exported too. */
  readonly stars: readonly string[]
  readonly references: readonly Reference[]
  /** The package, namespace or module that the file declares itself part of. */
  readonly package?: string
  /** The class that Java sees its functions in, where it names one. */
  readonly facade?: string
  readonly isTest?: true
  /** Where it does not parse, so that something may be missing. */
  readonly unread?: readonly Unread[]
}

/** Lines that nobody could make out, with the names in them, and those of them that may be declared there. */
export interface Unread {
  readonly from: number
  readonly to: number
  readonly mentions: readonly string[]
  readonly declares: readonly string[]
}

export const NO_CODE = { symbols: [], imports: [], exports: [], stars: [], references: [] } as const
