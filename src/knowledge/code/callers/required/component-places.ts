import type { Node } from 'oxc-parser'
import { wordsIn, type Word } from '../../../model/syntax/words-in.ts'
import { sourceOf } from '../../source.ts'
import { parseModule, walk } from '../../../model/syntax/parse-module.ts'
import { scriptOnly } from '../../../model/script-only.ts'
import { broughtIn } from './brought-in.ts'
import { senseIn } from './handed-names.ts'
import { calledLines, placed, type Meant, type ReadFile, type RequiredPlace } from './places-in.ts'
import { templateWords } from './template-words.ts'

/**
 * Where a component writes the name of a symbol. No server reads it, so that what its text does not say is `unsure`: a
 * name that it declares nowhere, which a framework may bring, or one of a module that only a bundler finds. `anywhere` are
 * the names that the symbol has in any module.
 */
export async function componentPlaces(
  { path, text, code }: ReadFile,
  meant: Meant,
  anywhere: ReadonlySet<string>,
): Promise<readonly RequiredPlace[]> {
  const { program } = await parseModule(path, text)
  const source = sourceOf(path, text)
  const words = program.body.flatMap(wordsIn)
  const at = ({ name, start }: Pick<Word, 'name' | 'start'>, kind: RequiredPlace['kind']): RequiredPlace => {
    const line = source.positionOf(start).line + 1
    const around = code.symbols.filter(({ kind: what, from, to }) => HOLDERS.has(what) && from <= line && to >= line)
    return { ...placed(source, { name, start }, kind), unserved: { by: around.at(-1)?.name ?? '<module>' } }
  }
  const { member, names, handed, moduleOf } = meant
  if (member !== undefined)
    return words.filter(({ name, role }) => name === member && role === 'member').map(word => at(word, 'unsure'))
  const isMeant = (specifier: string) => handed.has(moduleOf(path, specifier) ?? '')
  const { keys, locals, isWhole } = broughtIn(program, names, isMeant)
  const lines = calledLines(code, senseIn(path, code, handed, moduleOf))
  const bound = new Set(words.filter(({ role }) => role === 'bind').map(({ name }) => name))
  const imports = importedIn(program, specifier => isFound(specifier) && moduleOf(path, specifier) === undefined)
  return [
    ...words.flatMap(word => {
      const kind = kindOf(word)
      return kind ? [at(word, kind)] : []
    }),
    ...(scriptOnly(text).isSetup ? inTemplate() : []),
  ]

  function kindOf({ name, start, role }: Word): RequiredPlace['kind'] | undefined {
    if (keys.has(start)) return 'brought'
    if (role === 'bind' || imports.starts.has(start)) return undefined
    if (role === 'member') return names.has(name) ? (lineKind(start) ?? (isWhole ? 'unsure' : undefined)) : undefined
    if (locals.has(name)) return lineKind(start) ?? (bound.has(name) ? 'unsure' : 'use')
    return isLoose(name) ? 'unsure' : undefined
  }

  function lineKind(start: number): 'call' | 'use' | undefined {
    return lines.get(source.positionOf(start).line + 1)
  }

  function isLoose(name: string): boolean {
    if (!anywhere.has(name) || bound.has(name)) return false
    return imports.loose.has(name) || !imports.all.has(name)
  }

  function inTemplate(): readonly RequiredPlace[] {
    const found = [...locals].flatMap(name => templateWords(text, name).map(word => at(word, word.kind)))
    const loose = [...anywhere].filter(name => !locals.has(name) && isLoose(name))
    return [...found, ...loose.flatMap(name => templateWords(text, name).map(word => at(word, 'unsure')))]
  }
}

const HOLDERS = new Set(['function', 'method'])

/** Names that only a bundler or a framework could explain: `@/x`, `~/x`, `#x`. */
const isFound = (specifier: string): boolean => /^(?:@\/|~|#|\/|\$)/.test(specifier)

interface Imported {
  /** Where the names stand. */
  readonly starts: ReadonlySet<number>
  readonly all: ReadonlySet<string>
  /** Those from modules that nobody here finds. */
  readonly loose: ReadonlySet<string>
}

function importedIn(program: Node, isLost: (specifier: string) => boolean): Imported {
  const [starts, all, loose] = [new Set<number>(), new Set<string>(), new Set<string>()]
  walk(program, node => {
    if (node.type !== 'ImportDeclaration') return
    for (const { local, ...specifier } of node.specifiers) {
      all.add(local.name)
      if (isLost(node.source.value)) loose.add(local.name)
      else for (const { start } of [local, ...('imported' in specifier ? [specifier.imported] : [])]) starts.add(start)
    }
  })
  return { starts, all, loose }
}
