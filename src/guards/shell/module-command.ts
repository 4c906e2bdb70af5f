import { twinName } from './family-name.ts'
import { programOf } from './programs/programs.ts'
import { literalWord, readArguments } from './programs/read-arguments.ts'

/** Programs that are modules of Python, too: `python3 -m pip` is `pip`. */
export const PYTHON_MODULES: ReadonlySet<string> = new Set(['pip', 'pytest', 'twine', 'uv'])

/** The command that a module of Python is, where the words begin with an interpreter that runs one. */
export function moduleCommand(name: string, words: readonly string[]): readonly string[] | undefined {
  const program = /^(python|pypy)$/.test(twinName(name)) ? programOf(name) : undefined
  if (!program) return undefined
  const { options } = readArguments(program, words.map(literalWord))
  const [module] = options.find(option => option.name === '-m')?.values ?? []
  return module && [module.word.source, ...words.slice(module.at + 1)]
}
