/** A part of a word: certain text, or something whose value only the running shell knows. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'glob'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean }
  /** The output of commands, which are in the script's list as well. */
  | { readonly kind: 'output'; readonly commands: readonly Simple[]; readonly quoted: boolean }
  /** Anything else: a home directory, an expansion with an operator, arithmetic, the name of a process's pipe. */
  | {
      readonly kind: 'other'
      readonly text: string
      readonly quoted: boolean
      /** The commands that write into the pipe. */
      readonly commands?: readonly Simple[]
    }

/** One word of a command line as written. */
export interface Word {
  readonly source: string
  readonly pieces: readonly Piece[]
  /** Braces with a comma or two dots turn one word into several. */
  readonly brace: boolean
}

export interface Assignment {
  readonly name: string
  readonly value: Word
  /** The words between the brackets of an array. */
  readonly elements?: readonly Word[] | undefined
}

export interface Redirection {
  readonly operator: string
  readonly target: Word
  /** The text of a here-document; undefined if it contains an expansion, or for other redirections. */
  readonly body?: string | undefined
}

/** One simple command: what the shell would start, with everything written around it. */
export interface Simple {
  readonly source: string
  readonly assignments: readonly Assignment[]
  readonly words: readonly Word[]
  readonly redirections: readonly Redirection[]
  /** The command whose output it reads, if that is a simple command as well. */
  readonly input?: Simple | undefined
  /** Its name is certainly that of a function of the line. */
  readonly isCall?: true | undefined
  /** The loops around it, with the variables that they set. */
  readonly loops?: readonly Loop[] | undefined
  /** A `read` that a loop runs over lines, and that sets only variables of the line. */
  readonly isLoopRead?: true | undefined
  /** A loop's variable was filled in. */
  readonly unrolled?: true | undefined
}

/** A loop over words. */
export interface Loop {
  readonly name: string
  readonly words: readonly Word[]
  /** The command that sets the variable, unless it is a `for`. */
  readonly read?: Simple
}

/** A function of the line; its commands are in the script's list as well. */
export interface Definition {
  readonly name: string
  readonly body: readonly Simple[]
}

/** A construct that is parsed, but whose effect on the surrounding commands is not followed. */
export interface Doubt {
  readonly what: string
  /** Not even the commands in it are certain. */
  readonly opaque: boolean
}

/** Every simple command of a line at any depth, in the order of their ends. */
export interface Script {
  readonly commands: readonly Simple[]
  readonly doubts: readonly Doubt[]
  readonly functions: readonly Definition[]
  /** Why the line could not be parsed; its commands are then incomplete. */
  readonly broken?: string
}

/** Returns the text of a word that certainly has one value. */
export function literalOf({ pieces, brace }: Word): string | undefined {
  if (brace) return undefined
  let text = ''
  for (const piece of pieces) {
    if (piece.kind !== 'text') return undefined
    text += piece.text
  }
  return text
}

/** Reports whether the word stays one word, whatever its unknown parts are. */
export const isOneWord = ({ pieces, brace }: Word): boolean =>
  !brace && pieces.every(piece => piece.kind === 'text' || (piece.kind !== 'glob' && piece.quoted && !isList(piece)))

/** `"$@"` and similar expand to as many words as there are values. */
export const isList = (piece: Piece): boolean =>
  (piece.kind === 'variable' && piece.name === '@') || (piece.kind === 'other' && piece.text.includes('@'))

/** Returns the certain text that a word begins with. */
export function startOf({ pieces, brace }: Word): string {
  if (brace) return ''
  let text = ''
  for (const piece of pieces) {
    if (piece.kind !== 'text') break
    text += piece.text
  }
  return text
}

/** Reports whether only file names of the workspace can replace the unknown parts. */
export const isGlob = ({ pieces, brace }: Word): boolean =>
  !brace && pieces.every(({ kind }) => kind === 'text' || kind === 'glob') && pieces.some(({ kind }) => kind === 'glob')
