/** How code in one language uses names without writing them. */
export interface Reflection {
  /** A module that looks up its own names. */
  readonly ownLookups: RegExp
  /** Code that uses a module as a value; `stem` is its name, escaped for a pattern. */
  holdsModule(stem: string): RegExp
  /** The name of a file that stands for its folder. */
  readonly folderModule: string
  /** The first step of the name of a module. */
  readonly firstStep: RegExp
  /** Code that reads the name of a class from its objects. */
  readonly classNames: RegExp
  /** Code that reads the names of members from an object. */
  readonly memberNames: RegExp
  /** What declares an enumeration, and what reads the names in it. */
  enumeration(owner: string): { readonly declares: RegExp; readonly reads: RegExp }
  /** What reads a name behind it. */
  readonly ownName: RegExp
  /** How the declaration of a decorator begins, and what in it reads the name of what it decorates. */
  readonly decorator: { declares(name: string): string; readonly reads: RegExp }
  /** Files in which a runner of tests looks for names that begin with test. */
  readonly collectedTests?: RegExp
  /** Finds places that look up a computed name. */
  computedNames?(text: string): readonly ComputedName[]
  /** Texts in every file that loads modules by computed names. */
  readonly loaderWords: readonly string[]
  /** Places that load a module by a computed path or name. */
  computedImports(text: string): readonly ComputedImport[]
  /** Reports whether such a place in the file `from` may load the file `path`. */
  mayLoad(from: string, place: ComputedImport, path: string): boolean
  /** Such a place may also name a package from outside of the workspace. */
  readonly namesPackages?: true
}

/** A place that looks up a computed name. */
export interface ComputedName {
  readonly start: number
  readonly end: number
  /** The fixed start and end of the name. */
  readonly prefix: string
  readonly suffix: string
  /** The written object of the lookup; empty if unknown. */
  readonly of: string
}

/** A place that loads a module, or finds a file, by a computed path or name. */
export interface ComputedImport {
  readonly start: number
  readonly end: number
  /** The fixed start and end of the path or name. */
  readonly prefix: string
  readonly suffix: string
  readonly isGlob: boolean
}

/** A place that may load any module. */
export const anyModule = (start: number, end: number): ComputedImport => ({
  start,
  end,
  prefix: '',
  suffix: '',
  isGlob: false,
})

/** Reports whether a computed name may be this one. */
export const isFitting = (name: string, { prefix, suffix }: Pick<ComputedName, 'prefix' | 'suffix'>): boolean =>
  name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix)
