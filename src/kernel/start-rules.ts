/** A program that is about to start inside a sandbox. */
export interface ProgramStart {
  /** The names that rules know its file by. */
  readonly names: readonly string[]
  /** The path by which it is started; a link has a name of its own. */
  readonly path: string
  /** Reports whether nothing inside the sandbox can have made that path. */
  readonly isFixed: boolean
  readonly args: readonly string[]
  /** The words of the program that starts it. */
  parent?(): readonly string[]
  /** Where it starts, as far as its process shows; looked up only where that matters. */
  place?(): StartPlace
}

export interface StartPlace {
  /** From the root of the workspace; undefined if it is elsewhere, or not known. */
  readonly directory?: string | undefined
  /** The names of the variables that it is given. */
  readonly variables: readonly string[]
  /** The command line of the process that starts it. */
  readonly parent: string
}

export interface StartVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly why: string
  /** The command as the rule sees it. */
  readonly command: string
  /** Its words, where a rule is about it. */
  readonly argv?: readonly string[]
  readonly rule?: string
  /** Only a person may answer the ask. */
  readonly always?: true
}

/** What policy says about programs at the moment that they start, however the line that led there was spelled. */
export interface StartRules {
  /** The programs that a rule names; no other start is looked at. */
  readonly programs: readonly string[]
  /** Which of them a file is by its name; undefined if it is none. */
  programOf(file: string): string | undefined
  judge(start: ProgramStart): StartVerdict
  /** The program that is half done where this start is refused, because it is a step of its own. */
  halfDone(argv: readonly string[], parent: readonly string[]): string | undefined
}

/** A start that a person is asked about. */
export interface AskedStart extends StartVerdict {
  /** The programs that led there, the outermost first. */
  readonly chain: readonly string[]
}

/** A start that did not happen. */
export interface RefusedStart {
  readonly command: string
  readonly why: string
  readonly rule?: string
  /** The programs that led there, the outermost first. */
  readonly chain: readonly string[]
}
