import type * as Parser from '../shell/parser.ts'
import type * as Pattern from './command-pattern.ts'

/**
 * The parser of command lines is a third of the guards, and most calls run no command. It is loaded before the first
 * rule or claim about a command.
 */
let parserModules: (typeof Parser & typeof Pattern) | undefined

export async function loadCommandParser(): Promise<void> {
  if (parserModules) return
  const [parser, pattern] = await Promise.all([import('../shell/parser.ts'), import('./command-pattern.ts')])
  parserModules = { ...parser, ...pattern }
}

/** Loads the second parser of command lines, because guards load no grammar themselves. */
let loadSecond: (() => Promise<Parser.ShowSyntax>) | undefined

export function provideSecondParser(load: () => Promise<Parser.ShowSyntax>): void {
  loadSecond = load
}

/** Loads the parsers of command lines: the second one only if a line is, or may be, more than plain words. */
export async function loadCommandParsers(lines?: readonly string[]): Promise<void> {
  await loadCommandParser()
  const { lacksSecondParser, useSecondParser } = commandParser()
  if (!loadSecond || !(lines ?? [';']).some(lacksSecondParser)) return
  // Without it, every line that needs it asks.
  const second = await loadSecond().catch(() => undefined)
  if (second) useSecondParser(second)
}

export const hasCommandParser = (): boolean => parserModules !== undefined

/** Throws unless `loadCommandParser` was awaited: a command that cannot be parsed is not judged. */
export function commandParser(): typeof Parser & typeof Pattern {
  if (parserModules) return parserModules
  throw new Error('A command is judged before its parser is loaded')
}
