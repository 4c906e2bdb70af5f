/** How to type a tool of our own contract as a command; the rest follows from its input schema. */
export interface CommandForm {
  /** Replaces the tool's description if the command does only part of it. */
  readonly about?: string
  readonly aliases?: readonly string[]
  /** Positional options, in this order. */
  readonly positionals: readonly string[]
  /** Parameters whose option has another name. */
  readonly options?: Readonly<Record<string, string>>
  /** Parameters required by this command but not by the tool. */
  readonly required?: readonly string[]
  /** Placeholders of values in the help. */
  readonly placeholders?: Readonly<Record<string, string>>
  /** Values that the command sets. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** Parameters that do not apply to this command. */
  readonly without?: readonly string[]
  /** Parameters refused with a reason, and so not in the help: `callOnce` gives it. */
  readonly refused?: readonly string[]
  /** Parameters for a file or directory, relative to the current directory. */
  readonly paths?: readonly string[]
  /** A parameter that is a path only if another one has this value. */
  readonly pathWhen?: { readonly key: string; readonly other: string; readonly is: string }
  /** A path that defaults to the current directory. */
  readonly here?: string
  /** A text that may also come from a file, or from standard input if it is required or `orInput` is set. */
  readonly text?: {
    readonly key: string
    readonly orInput?: true
    readonly mayBeEmpty?: true
    readonly unless?: string
  }
  /** A list of one item, set by options of its own. */
  readonly item?: string
  /** `FILE:LINE` sets both parameters. */
  readonly place?: { readonly path: string; readonly line: string }
  /** A first argument that is not a file sets this parameter. */
  readonly orName?: string
  /** The command replaces the current file at this path, even if it was not read before. */
  readonly replaces?: string
  /** The rest of the line is a command: one word is a shell line, several are a program and its arguments. */
  readonly words?: { readonly line: string; readonly list: string }
}

/** A command and the tool that it calls. */
export interface ToolCommand extends CommandForm {
  readonly tool: string
}
