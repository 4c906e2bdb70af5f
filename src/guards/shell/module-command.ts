import { twinName } from './family-name.ts'
import { programOf } from './programs/programs.ts'
import { literalWord, readArguments } from './programs/read-arguments.ts'

/** Programs that are also Python modules: `python3 -m pip` is `pip`. */
export const PYTHON_MODULES: ReadonlySet<string> = new Set(['pip', 'pytest', 'twine', 'uv'])

/** Returns the command that a Python module is, if the words begin with an interpreter that runs one. */
export function moduleCommand(name: string, words: readonly string[]): readonly string[] | undefined {
  const program = /^(python|pypy)$/.test(twinName(name)) ? programOf(name) : undefined
  if (!program) return undefined
  const { options } = readArguments(program, words.map(literalWord))
  const [module] = options.find(option => option.name === '-m')?.values ?? []
  return module && [module.word.source, ...words.slice(module.at + 1)]
}
