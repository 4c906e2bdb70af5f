import { loadCommandParsers, provideSecondParser } from '../src/guards/policy/command-parser.ts'
import { loadBashSyntax } from '../src/machine/grammar/bash-syntax.ts'

/** Loads both readers of command lines, as a session does. */
export async function loadBothReaders(): Promise<void> {
  provideSecondParser(loadBashSyntax)
  await loadCommandParsers()
}
