import type * as Parser from '../shell/parser.ts'

/**
 * The parser of command lines is a third of the guards, and most calls run no command. It is loaded before the first
 * rule or claim about a command; nothing else needs it.
 */
let loaded: typeof Parser | undefined

export async function loadCommandParser(): Promise<void> {
  loaded ??= await import('../shell/parser.ts')
}

/** How the second reader of command lines is loaded, for guards load no grammar themselves. */
let loadSecond: (() => Promise<Parser.ShowSyntax>) | undefined

export function provideSecondReader(load: () => Promise<Parser.ShowSyntax>): void {
  loadSecond = load
}

/** Loads what command lines are judged with: the second reader only where one is more than plain words, or may be. */
export async function loadCommandReaders(lines?: readonly string[]): Promise<void> {
  await loadCommandParser()
  const { lacksSecondReader, useSecondReader } = commandParser()
  if (!loadSecond || !(lines ?? [';']).some(lacksSecondReader)) return
  // Without it, every line that needs it asks.
  const second = await loadSecond().catch(() => undefined)
  if (second) useSecondReader(second)
}

/** For those who have loaded it with their own code. */
export function provideCommandParser(parser: typeof Parser): void {
  loaded = parser
}

/** Throws where nobody awaited `loadCommandParser`: a command that cannot be parsed is not judged. */
export function commandParser(): typeof Parser {
  if (loaded) return loaded
  throw new Error('A command is judged before its parser is loaded')
}
