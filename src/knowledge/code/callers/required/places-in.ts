import { wordsIn, type Word } from '../../../model/syntax/words-in.ts'
import { sourceOf, type Source } from '../../source.ts'
import { parseModule } from '../../../model/syntax/parse-module.ts'
import type { Range } from '../../servers/lsp-words.ts'
import type { FileModel, Value } from '../../../model/file-model.ts'
import { broughtIn } from './brought-in.ts'
import { senseIn, type HandedNames, type ModuleOf } from './handed-names.ts'

/** A place where a script writes the name of something that it may have by `require`. */
export interface RequiredPlace {
  readonly path: string
  readonly range: Range
  readonly offset: number
  /** `call` and `use` are surely of the symbol, `brought` gives it a name; `unsure` may be something else of that name. */
  readonly kind: 'call' | 'use' | 'brought' | 'unsure'
  /** In a file that no server reads, with the function that it is in. */
  readonly unserved?: { readonly by: string }
}

export interface ReadFile {
  readonly path: string
  readonly text: string
  readonly code: FileModel
}

export interface Meant {
  readonly handed: HandedNames
  readonly moduleOf: ModuleOf
  /** Those that the symbol has in the modules that are required. */
  readonly names: ReadonlySet<string>
  /** What is meant is this member of the symbol: whose it is nobody knows here. */
  readonly member?: string
}

export async function placesIn({ path, text, code }: ReadFile, meant: Meant): Promise<readonly RequiredPlace[]> {
  const { program } = await parseModule(path, text)
  const source = sourceOf(path, text)
  const words = program.body.flatMap(wordsIn)
  const at = (word: Word, kind: RequiredPlace['kind']) => placed(source, word, kind)
  const { member } = meant
  if (member !== undefined)
    return words.filter(({ name, role }) => name === member && role === 'member').map(word => at(word, 'unsure'))
  const isIt = senseIn(path, code, meant.handed, meant.moduleOf)
  const isMeant = (specifier: string) => {
    const module = meant.moduleOf(path, specifier)
    return module !== undefined && meant.handed.has(module)
  }
  const { keys, locals } = broughtIn(program, meant.names, isMeant)
  const isNamed = ({ name }: Word) => meant.names.has(name) || locals.has(name)
  const lines = calledLines(code, isIt)
  const found = words.flatMap(word => {
    if (keys.has(word.start)) return [at(word, 'brought')]
    if (!isNamed(word) || word.role === 'bind') return []
    const kind = lines.get(source.positionOf(word.start).line + 1)
    return kind ? [at(word, kind)] : meant.names.has(word.name) ? [at(word, 'unsure')] : []
  })
  const seen = new Set(found.map(({ range }) => range.start.line + 1))
  // Under a name that is not known here.
  const others = [...lines].flatMap(([line, kind]) => {
    const start = source.offsetOf({ line: line - 1, character: 0 })
    const blanks = /^\s*/.exec(text.slice(start))?.[0].length ?? 0
    return seen.has(line) ? [] : [at({ name: '', start: start + blanks, role: 'use' }, kind)]
  })
  return [...found, ...others]
}

/** Where a file writes one of the names, whatever it means by it. */
export async function lookAlikes(
  { path, text }: ReadFile,
  names: ReadonlySet<string>,
): Promise<readonly RequiredPlace[]> {
  const source = sourceOf(path, text)
  const { program } = await parseModule(path, text)
  const words = program.body.flatMap(wordsIn)
  return words.filter(({ name }) => names.has(name)).map(word => placed(source, word, 'unsure'))
}

export function placed(
  source: Source,
  { name, start }: Pick<Word, 'name' | 'start'>,
  kind: RequiredPlace['kind'],
): RequiredPlace {
  const range = { start: source.positionOf(start), end: source.positionOf(start + name.length) }
  return { path: source.path, range, offset: start, kind }
}

/** The lines where a file surely calls or uses something. */
export function calledLines(code: FileModel, isIt: (value: Value) => boolean): ReadonlyMap<number, 'call' | 'use'> {
  const lines = new Map<number, 'call' | 'use'>()
  for (const { kind, line, value } of code.references)
    if (isIt(value) && lines.get(line) !== 'call') lines.set(line, kind === 'use' ? 'use' : 'call')
  return lines
}
