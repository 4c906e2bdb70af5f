import type { Declaration } from './file-model/file-model.ts'
import type { GrammarLanguage } from './grammar/grammar-language.ts'
import type { ImportFacts } from './import-facts.ts'
import type { PackageSource } from './installed-packages.ts'
import type { Reflection } from './reflection.ts'
import type { ServerDefinition, ServerOnPath } from './server-definition.ts'

/** All that general code asks about one language. What is left out does not hold for it. */
export interface Language extends CallRules, TypeRules, NameRules, OutsideRules, TextRules {
  /** As answers and stored facts have it. */
  readonly name: string
  /** As people write it, if that is not the name with a capital. */
  readonly title?: string
  /** File extensions, without the dot. */
  readonly extensions: readonly string[]
  /** Shared by languages that call each other's code by name; by default the name. */
  readonly family?: string
  /** The parser of its files; undefined for a language without declarations. */
  readonly parser?: 'script' | 'grammar'
  /** The rules for its tree, if tree-sitter parses it. */
  grammar?(): Promise<GrammarLanguage>
  /** The name of the language that a file with one of its extensions is written in. */
  detect?(path: string, text: string): string
  /** A file holds markup around scripts. */
  readonly isComponent?: true
  /** Markup sees the names of its scripts without a keyword. */
  readonly markupSeesScripts?: true
  /** Types are written. */
  readonly isTyped?: true
  /** What a server calls a file with this extension, if that is not the name. */
  documentId?(extension: string): string | undefined
  /** A file holds no code, but styles. */
  readonly isStyle?: true
  /** Finds the tokens that decide where brackets count; by default those of C. */
  readonly nesting?: RegExp
  /** The language server that is used if it is there. */
  readonly server?: ServerDefinition | ServerOnPath
  /** Where its packages are installed, whose documentation is searched. */
  readonly packages?: PackageSource
  /** Files of a project in it, each with the documentations that such a project needs. */
  readonly documentation?: Readonly<Record<string, readonly string[]>>
}

/** A function, with the facts that tell whether it is called implicitly. */
export interface Callable {
  /** Its unqualified name. */
  readonly name: string
  readonly isMember: boolean
  /** Texts of the declaring files. */
  readonly texts: readonly string[]
}

/** What a call may run. */
interface CallRules {
  /** Functions of one name and scope differ by their parameters. */
  readonly hasOverloads?: true
  /** Arguments have labels, which tell overloads apart. */
  readonly hasLabels?: true
  /** A function outside of a type may be called on its values. */
  readonly hasExtensions?: true
  /** A template takes each argument as it is. */
  readonly hasTemplates?: true
  /** The name of a constructor, if it is not that of its class. */
  readonly constructorName?: string
  /** A class is constructed by the constructor that it inherits. */
  readonly inheritsConstructors?: true
  /** The method that a call of an object runs. */
  readonly invokedAs?: string
  /** A name without parentheses may be a call. */
  readonly namesMayCall?: true
  /** `f[int](1)` calls `f`. */
  readonly bracketsInstantiate?: true
  /** A block or lambda may have a receiver, on which bare names are looked up. */
  readonly blocksHaveReceivers?: true
  /** A name is looked up in the receiver of a lambda or extension before anywhere else, and the first one counts. */
  readonly firstReceiverCounts?: true
  /** A bare name means a function outside of a class only where no member of it takes the arguments. */
  readonly membersFirst?: true
  /** A later function of one name replaces one beside it. */
  readonly replacesNamesakes?: true
  /** Files whose functions are overloads of those of others beside them. */
  readonly overloadsAcross?: RegExp
  /** Its own functions outside of classes are called on a generated class by languages that see them so. */
  readonly functionsAreStatic?: true
  /** It calls such functions of others of its family. */
  readonly callsStaticFunctions?: true
  /** Methods that the language calls without their names being written. */
  readonly calledImplicitly?: RegExp
  /** Why a function is called without its name being written, by the texts of the files that declare it. */
  whyImplicit?(called: Callable): string | undefined
  /** What a call of a class, an operator or an override reaches is read from the classes: no server says it. */
  readonly readsClasses?: true
  /** The text of the operator that calls a function with this name and head; undefined if none does. */
  operatorFor?(name: string, head: string): string | undefined
  /** Operators call its methods only from other languages of its family. */
  readonly hasForeignOperators?: true
  /** The modifier of methods that operators call, whose results are then those of the operators. */
  readonly operatorModifier?: RegExp
}

/** How types relate. */
interface TypeRules {
  /** A type satisfies an interface without naming it. */
  readonly satisfiesInterfaces?: true
  /** The base that makes a class a structural interface. */
  readonly structuralBase?: string
  /** Kinds of basic types that it converts into each other: `character number`. */
  readonly conversions?: RegExp
  /** No class converts its values, and no base is declared apart from its type. */
  readonly hasPlainTypes?: true
  /** A condition may narrow the type of a variable. */
  readonly narrows?: true
  /** Only a method with the parameter types of another overrides it. */
  readonly comparesOverrides?: true
  /** A method that overrides says so. */
  readonly marksOverrides?: true
  /** A method hides all of its name in the bases. */
  readonly hidesByName?: true
  /** A shared ancestor comes after all of its descendants. */
  readonly linearizes?: true
  /** A class may be opened again: everywhere, or where it is marked as partial. */
  readonly reopens?: 'everywhere' | 'partial'
  /** An extension of a type may add bases to it. */
  readonly extensionsAddBases?: true
  /** A class includes modules, and may extend itself by them. */
  readonly includesModules?: true
  /** The name of the base does not mean traits that a class uses. */
  readonly parentSkipsTraits?: true
  /** The type that stands for the class that a method is called on. */
  readonly calledClass?: string
  /** The head of an object whose members are called on the class around it. */
  readonly companion?: RegExp
  /** The head of an object that is its own only instance. */
  readonly singleton?: RegExp
}

/** What a name means. */
interface NameRules {
  /** Code in a class has to write a receiver before its members. */
  readonly needsReceivers?: true
  /** In the body of a class the receiver is the class, whose methods are members of their own. */
  readonly classIsReceiver?: true
  /** The body of a class runs when the class is declared. */
  readonly runsClassBodies?: true
  /** What in the head of a class runs code, and the method of a base that its heirs run. */
  readonly classHooks?: { readonly head: RegExp; readonly ofBase: string }
  /** An extension does not see the members of its type without a receiver. */
  readonly extensionsSeeNoMembers?: true
  /** The model has resolved names of types that are local to a function. */
  readonly resolvesLocalTypes?: true
  /** Reports whether code inside of a declaration has no instance of the types around; by default inside of any type. */
  hidesInstance?(declaration: Declaration, holder: Declaration | undefined): boolean
  /** A static function sees the members of instances. */
  readonly staticsSeeMembers?: true
  /** Only exported names of a file are seen by others. */
  readonly hidesUnexported?: true
  /** Declarations stand in headers, which files include by path. */
  readonly hasHeaders?: true
  /** Those of its files that are headers. */
  readonly headers?: RegExp
  /** The imports of a module are also its members. */
  readonly passesOnImports?: true
  /** An import may begin at the importing module. */
  readonly importsBeside?: true
  /** An import may name a package. */
  readonly importsPackages?: true
  /** A module is found by its dots, then in the folders around the importing file. */
  readonly findsModulesByFolder?: true
  /** A module may be the value of anything. */
  readonly modulesAreValues?: true
  /** The dotted package of a file, by its folders and its name without extension; by default the declared one. */
  packageOf?(folders: readonly string[], stem: string): string
  /** The file that gives the folders below it the name of a module, and how it states that name. */
  readonly moduleFile?: { readonly name: string; readonly states: RegExp }
  /** A preprocessor rewrites the text, and the linker finds functions by their names. */
  readonly hasMacros?: true
  /** What stands before a parameter that a call may name. */
  readonly namedParameter?: RegExp
  /** The name by which a file asks where it is. */
  readonly ownPath?: RegExp
  /** Reads what a file imports; undefined if its imports are not followed. */
  importFacts?(path: string, text: string): ImportFacts
  /** Finds the files of a workspace that a request may mean; undefined for those that the module finder resolves. */
  importedFiles?(files: ReadonlySet<string>): (from: string, request: string) => readonly string[]
  /** Words that are no names. */
  readonly reserved?: string
  /** How code uses names without writing them; undefined if that is unknown. */
  readonly reflection?: Reflection
}

/** Who outside of the workspace may call a method. */
interface OutsideRules {
  /** Reports whether a base of its type can ask for a method. `isMade`: it constructs; `isOverride`: it says that it overrides. */
  isOpenToBases?(method: Declaration, is: { readonly isMade: boolean; readonly isOverride: boolean }): boolean
  /** Only the trait that a method implements asks for it. */
  readonly traitsAsk?: true
  /** What types of the language's own library call of what derives from them; others may call anything. */
  readonly libraryTypes?: Readonly<Record<string, RegExp>>
  /** The interfaces of the language's own library. */
  readonly library?: {
    /** Reports whether one asks for a method of this name and number of parameters. */
    asksFor(name: string, count: number): boolean
    /** Reports whether a module calls methods of the values that it gets only through such interfaces. */
    asksByInterfaces(module: string): boolean
  }
}

/** How its files are written. */
interface TextRules {
  /** Frames of a stack trace that are none of the program itself. */
  readonly libraryFrames?: RegExp
  /** Dotted names that end like those of hosts. */
  readonly properties?: readonly string[]
  /** One step of indentation where nothing is indented; by default two spaces. */
  readonly indentation?: string
  /** Blocks are told by indentation alone, after a colon. */
  readonly isIndented?: true
  /** Blocks end with a word. */
  readonly endsBlocks?: string
  /** Three dots are code. */
  readonly dotsAreCode?: true
  /** A function of one expression needs a written type before it can have a block. */
  readonly expressionsNeedTypes?: true
  /** How the names of test functions begin. */
  readonly testPrefix?: string
  /** Tests stand in the file that they test. */
  readonly testsBesideCode?: true
  /** Values are computed before the program runs, or when they are first used. */
  readonly valuesAreConstant?: true
  /** A declaration with brackets behind its name constructs an object. */
  readonly constructsWithoutCall?: true
}
