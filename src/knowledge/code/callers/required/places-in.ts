import type { Statement } from 'oxc-parser'
import { isComponentFile, languageAt } from '../../../../languages/registry.ts'
import type { FileModel } from '../../../../languages/file-model/file-model.ts'
import { scriptOnly } from '../../../../languages/javascript/script-only.ts'
import { parseModule } from '../../../model/syntax/parse-module.ts'
import { wordsIn, type Word } from '../../../../languages/javascript/words-in.ts'
import type { Range } from '../../servers/lsp-schemas.ts'
import { sourceOf } from '../../source.ts'
import { importedNames } from './imported-names.ts'
import type { IsSymbol } from './exported-names.ts'
import {
  templateNames,
  markupOnly,
  namesInCode,
  type TemplateName,
} from '../../../../languages/javascript/template-names.ts'

/** A place in a script with the name of a symbol that it may have by `require`. */
export interface RequiredPlace {
  readonly path: string
  readonly range: Range
  readonly offset: number
  /** `call` and `use` are certain, `brought` imports the symbol; `unsure` may be another symbol of that name. */
  readonly kind: 'call' | 'use' | 'brought' | 'unsure'
  /** In a file that no server reads, with the function around it. */
  readonly unserved?: { readonly by: string }
}

export interface ReadFile {
  readonly path: string
  readonly text: string
  readonly code: FileModel
}

interface SymbolNames {
  readonly isIt: IsSymbol
  /** Reports whether a request is for a module that exports the symbol. */
  readonly isMeant: (specifier: string) => boolean
  /** Reports whether only a bundler or a framework could resolve the request. */
  readonly isLost: (specifier: string) => boolean
  /** Names of the symbol in the required modules. */
  readonly names: ReadonlySet<string>
  /** Names of the symbol in any module. */
  readonly anywhere: ReadonlySet<string>
}

/**
 * Places in a file with the name of a symbol. No server reads components, so names that their text does not explain are
 * `unsure`: an undeclared name, which a framework may provide, or one from an unresolved module.
 */
export async function placesIn(file: ReadFile, symbolNames: SymbolNames): Promise<readonly RequiredPlace[]> {
  const { path, text, code } = file
  const { names, anywhere, isMeant, isLost } = symbolNames
  const { program } = await parseModule(path, text)
  const { placed, lineOf, lineStart } = placing(file)
  const { keys, locals, isWhole } = importedNames(program, names, isMeant)
  const words = program.body.flatMap(wordsOf)
  const bound = new Set(words.filter(({ role }) => role === 'bind').map(({ name }) => name))
  const lines = calledLines(file, symbolNames.isIt)
  const kindOf = isComponentFile(path) ? inComponent : inScript
  const namedPlaces = words.flatMap(word => {
    const kind = keys.has(word.start) ? 'brought' : word.role === 'bind' ? undefined : kindOf(word)
    return kind ? [placed(word, kind)] : []
  })
  return [...namedPlaces, ...(isComponentFile(path) ? inTemplate() : unnamedPlaces())]

  /** An import of something else does not concern the symbol. */
  function wordsOf(statement: Statement): readonly Word[] {
    const isOther = statement.type === 'ImportDeclaration' && !isLost(statement.source.value)
    return wordsIn(statement).filter(({ start }) => !isOther || keys.has(start))
  }

  function inScript({ name, start }: Word): RequiredPlace['kind'] | undefined {
    const isNamed = names.has(name)
    const surely = isNamed || locals.has(name) ? lines.get(lineOf(start)) : undefined
    return surely ?? (isNamed ? 'unsure' : undefined)
  }

  function inComponent({ name, start, role }: Word): RequiredPlace['kind'] | undefined {
    if (role === 'member' ? names.has(name) : locals.has(name)) {
      const open = role === 'member' ? (isWhole ? 'unsure' : undefined) : bound.has(name) ? 'unsure' : 'use'
      return lines.get(lineOf(start)) ?? open
    }
    return role !== 'member' && isUndeclared(name) ? 'unsure' : undefined
  }

  function isUndeclared(name: string): boolean {
    if (!anywhere.has(name) || bound.has(name)) return false
    return code.imports.every(({ local, module }) => local !== name || isLost(module))
  }

  function inTemplate(): readonly RequiredPlace[] {
    const { markupSeesScripts } = languageAt(path)
    if (!markupSeesScripts && !scriptOnly(text).isSetup) return []
    const templateWords = markupSeesScripts ? markupWords : templateNames
    const localPlaces = [...locals].flatMap(name => templateWords(text, name).map(word => placed(word, word.kind)))
    const loose = [...anywhere].filter(name => !locals.has(name) && isUndeclared(name))
    return [...localPlaces, ...loose.flatMap(name => templateWords(text, name).map(word => placed(word, 'unsure')))]
  }

  /** Lines that use it under an unknown name. */
  function unnamedPlaces(): readonly RequiredPlace[] {
    const namedLines = new Set(namedPlaces.map(({ range }) => range.start.line + 1))
    return [...lines].flatMap(([line, kind]) =>
      namedLines.has(line) ? [] : [placed({ name: '', start: lineStart(line) }, kind)],
    )
  }
}

/** Places in a file with words that may refer to the symbol. */
export async function alikeIn(file: ReadFile, isAlike: (word: Word) => boolean): Promise<readonly RequiredPlace[]> {
  const { program } = await parseModule(file.path, file.text)
  const { placed } = placing(file)
  return program.body
    .flatMap(wordsIn)
    .filter(isAlike)
    .map(word => placed(word, 'unsure'))
}

function placing({ path, text, code }: ReadFile) {
  const source = sourceOf(path, text)
  const lineOf = (start: number): number => source.positionOf(start).line + 1
  return {
    lineOf,
    lineStart(line: number): number {
      const start = source.offsetOf({ line: line - 1, character: 0 })
      return start + (/^\s*/.exec(text.slice(start))?.[0].length ?? 0)
    },
    placed({ name, start }: Pick<Word, 'name' | 'start'>, kind: RequiredPlace['kind']): RequiredPlace {
      const range = { start: source.positionOf(start), end: source.positionOf(start + name.length) }
      const place = { path, range, offset: start, kind }
      if (!isComponentFile(path)) return place
      const line = lineOf(start)
      const around = code.symbols.findLast(
        ({ kind: what, from, to }) => (what === 'function' || what === 'method') && from <= line && to >= line,
      )
      return { ...place, unserved: { by: around?.name ?? '<module>' } }
    },
  }
}

/** Lines where a file certainly calls or uses the symbol. */
function calledLines({ path, code }: ReadFile, isIt: IsSymbol): ReadonlyMap<number, 'call' | 'use'> {
  const lines = new Map<number, 'call' | 'use'>()
  for (const { kind, line, value } of code.references)
    if (lines.get(line) !== 'call' && isIt(path, value)) lines.set(line, kind === 'use' ? 'use' : 'call')
  return lines
}

/** `{ … }`, with one level of braces inside. */
const CODE = /\{(?<code>(?:[^{}]|\{[^{}]*\})*)\}/dg
/** Directives that name a function or a variable: `use:a`, `transition:a`, `bind:a`, `class:a`. */
const DIRECTIVE = /\s(?:use|transition|in|out|animate|bind|class|style):(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)/dgu
const ELEMENT = /<(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*)/dgu

/** Places in a Svelte component with a name in its markup, or with the name as a store (`$name`). */
function markupWords(text: string, name: string): readonly TemplateName[] {
  const markup = markupOnly(text)
  const inCode = [...markup.matchAll(CODE)].flatMap(({ indices }) => {
    const [from, to] = indices?.groups?.['code'] ?? [0, 0]
    return namesInCode(markup.slice(from, to), name).map(word => ({ ...word, start: from + word.start }))
  })
  const wordsMatching = (pattern: RegExp, kind: TemplateName['kind']): readonly TemplateName[] =>
    Array.from(markup.matchAll(pattern)).flatMap(({ groups, indices }) =>
      groups?.['name'] === name ? [{ name, start: indices?.groups?.['name']?.[0] ?? 0, kind }] : [],
    )
  // Only Svelte knows whether it is a store of this name or something else.
  const stores = namesInCode(text, `$${name}`).map(({ start }) => ({ name, start: start + 1, kind: 'unsure' as const }))
  return [...inCode, ...wordsMatching(DIRECTIVE, 'use'), ...wordsMatching(ELEMENT, 'call'), ...stores].toSorted(
    (one, other) => one.start - other.start,
  )
}
