/** How to start a server. */
export interface Program {
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Directories that it has to see besides the workspace and the tools of PATH. */
  readonly visible: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** The static description of a language server. */
export interface ServerDefinition {
  readonly name: string
  /** File extensions, without the dot. */
  readonly extensions: readonly string[]
  /** Undefined if it is not installed. */
  find(env: Environment): Program | undefined
  /** It is installed with us, unless optional packages are left out. */
  readonly isInstalled?: boolean
  /** How to install it. */
  readonly install: string
  /** By section, for servers that request their configuration. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly initializationOptions?: unknown
  /** Options that depend on the files present. */
  optionsFor?(files: readonly string[], root: string, exists: (file: string) => boolean): unknown
  /** Log message that shows it has loaded its files: before it, results are empty. */
  readonly begins?: RegExp
  /** It only answers about open documents. */
  readonly opensQueriedFiles?: boolean
  /** It knows the files of a project once one of them is open, and of others only the open ones. */
  readonly loadsByProject?: boolean
  /** It omits uses under an alias; ask for the alias separately. */
  readonly missesAliases?: boolean
  /**
   * It reads closed files once, reports when done, and never rereads them: changed files and their includers have to be
   * open.
   */
  readonly readsOnce?: boolean
  /** Importers notice that an open document differs from the disk only after a change to it. */
  readonly opensQuietly?: boolean
  /** It remembers a missing directory until it is notified of the directory itself, whatever is created in it. */
  readonly looksOnceForDirectories?: boolean
  /** It supports requests for diagnostics without announcing it. */
  readonly judgesSilently?: boolean
  /** It does not support requests for diagnostics, but pushes all of them for every version of an open document. */
  readonly pushesDiagnostics?: boolean
  /** It has diagnostics for open documents only. */
  readonly judgesOpenDocuments?: boolean
  /** Files besides the code that it reads from the disk, whatever is staged. */
  readonly configuredBy?: RegExp
  /** Reports whether such a file, with this text, may change any judgement. */
  reads?(path: string, text: string): boolean
  /** Files that decide which module an import means. */
  readonly projectFiles?: RegExp
  /** It finds no import of a file that is only staged. */
  readonly looksForImportsOnDisk?: boolean
  /** What it says of an import that it cannot resolve, with the module. */
  readonly unresolved?: RegExp
  /** Precedes the number of a diagnostic. */
  readonly codePrefix?: string
  /** What it reports as a warning is an error. */
  readonly hasNoWarnings?: boolean
  /** What it says when it renames nothing of a kind, and what that means. */
  readonly refusal?: { readonly says: string; readonly means: string; readonly hint: string }
  /** Methods that allow one request at a time: a second or cancelled one breaks those that follow. */
  readonly oneAtATime?: readonly string[]
}

/** How to start a server found on PATH. */
export interface Launch {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The directory below home that it reads, and the variable that overrides it. */
  readonly reads?: { readonly variable: string; readonly place: string }
}

/** A server that is used if its program, named as the server, is on PATH. */
export type ServerOnPath = Omit<ServerDefinition, 'find'> & { readonly launch: Launch }

/** A server from the user's configuration. */
export interface ConfiguredServer {
  readonly language: string
  readonly command: string
  readonly args: readonly string[]
  readonly extensions: readonly string[]
  readonly initializationOptions?: unknown
}
