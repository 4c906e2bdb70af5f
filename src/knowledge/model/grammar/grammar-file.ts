import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The file of a grammar: the copy in the build if there is one, else that of the package named by `grammar`. */
export function grammarFile(grammar: string, from: string = import.meta.url): string {
  const here = dirname(fileURLToPath(from))
  // A bundle puts this code into its entry or into a folder of chunks next to it.
  const candidates = [here, dirname(here)].map(folder => join(folder, 'grammars', basename(grammar)))
  return candidates.find(file => existsSync(file)) ?? createRequire(from).resolve(grammar)
}
