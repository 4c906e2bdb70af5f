/** How a server is started. */
export interface Program {
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Directories that it has to see besides the workspace and the tools of PATH. */
  readonly visible: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** A language server as we know it before it runs. */
export interface ServerDefinition {
  readonly name: string
  /** Endings of its files, without the dot. */
  readonly extensions: readonly string[]
  /** Undefined if it is not installed. */
  find(env: Environment): Program | undefined
  /** What to do where it is not. */
  readonly install: string
  /** By section, for servers that ask for their configuration. */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly initializationOptions?: unknown
  /** The same, where it depends on which of its files there are. */
  optionsFor?(files: readonly string[], root: string): unknown
  /** What it logs when it knows its files: until then it answers that there is nothing. */
  readonly begins?: RegExp
  /** It only answers about documents that are open. */
  readonly opensWhatIsAsked?: boolean
  /** It knows the files of a project once one of them is open, and of others only those that are open. */
  readonly loadsByProject?: boolean
  /** It leaves out uses under another name, which have to be asked for by that name. */
  readonly missesAliases?: boolean
  /**
   * It reads files that are not open once, says when it has, and looks at none of them again: those that change, and
   * whatever includes them, have to be open.
   */
  readonly readsOnce?: boolean
  /** That an open document says otherwise than the disk reaches those who import it only with a change to it. */
  readonly opensQuietly?: boolean
  /** That a directory was not there is kept in mind until it is told of the directory itself, whatever is made in it. */
  readonly looksOnceForDirectories?: boolean
  /** It says what is wrong with a file when it is asked, though it does not say that it would. */
  readonly judgesSilently?: boolean
  /** It cannot be asked what is wrong with a file, but says all of it of every version of an open document. */
  readonly pushesFaults?: boolean
  /** It says what is wrong with open documents only. */
  readonly judgesOpenDocuments?: boolean
  /** Methods that it takes one request of at a time: a second one, or a cancelled one, breaks those that follow. */
  readonly oneAtATime?: readonly string[]
}

/** A server that the user's configuration names. */
export interface ConfiguredServer {
  readonly language: string
  readonly command: string
  readonly args: readonly string[]
  readonly extensions: readonly string[]
  readonly initializationOptions?: unknown
}
