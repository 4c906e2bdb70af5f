/** A program that is about to start inside a sandbox. */
export interface ProgramStart {
  /** The names that rules know its file by. */
  readonly names: readonly string[]
  /** The path by which it is started, which may be a link with another name. */
  readonly path: string
  /** Nothing inside the sandbox can have created that path. */
  readonly isFixed: boolean
  readonly args: readonly string[]
  /** Returns the words of the program that starts it. */
  parent?(): readonly string[]
  /** Returns where it starts, as far as its process shows; looked up only on demand. */
  place?(): StartPlace
}

export interface StartPlace {
  /** Relative to the root of the workspace; undefined if it is elsewhere or unknown. */
  readonly directory?: string | undefined
  /** The names of its environment variables. */
  readonly variables: readonly string[]
  /** The command line of the process that starts it. */
  readonly parent: string
}

export interface StartVerdict {
  readonly verdict: 'allow' | 'ask' | 'deny'
  readonly why: string
  /** The command as the rule sees it. */
  readonly command: string
  /** Its words, if a rule covers it. */
  readonly argv?: readonly string[]
  readonly rule?: string
  /** Only a person may answer. */
  readonly always?: true
}

/** The policy for programs at the moment that they start, however the command line spelled them. */
export interface StartRules {
  /** The programs that a rule names; no other start is checked. */
  readonly programs: readonly string[]
  /** Returns the program that a file is by its name; undefined if it is none of them. */
  programOf(file: string): string | undefined
  judge(start: ProgramStart): StartVerdict
  /** Returns the program that stays half done if this start is refused, because the start is a step of its own. */
  halfDone(argv: readonly string[], parent: readonly string[]): string | undefined
}

/** A start that needs a person's approval. */
export interface StartQuestion extends StartVerdict {
  /** The programs that led to it, the outermost first. */
  readonly chain: readonly string[]
}

/** A start that was refused. */
export interface RefusedStart {
  readonly command: string
  readonly why: string
  readonly rule?: string
  /** The programs that led to it, the outermost first. */
  readonly chain: readonly string[]
}
