import { hash } from 'node:crypto'
import { isRelative } from '../../index/modules/candidates.ts'
import { COMPUTED } from './included-files.ts'
import { extensionOf } from '../servers/documents.ts'

/** A name that stands for another from some place on. */
export interface OtherName {
  readonly name: string
  readonly of: string
}

/** What of a file decides who depends on whom. */
export interface ModuleFacts {
  readonly hash: string
  /** What it imports, as it is written. */
  readonly requests: readonly string[]
  /** Those of them that it takes nothing out of, as they are. */
  readonly wholes: readonly string[]
  /** It declares something for files that do not import it. */
  readonly isAmbient: boolean
  /** The other names that it gives in its imports and exports, or by a macro. */
  readonly others: readonly OtherName[]
}

/** Languages whose imports say which files a change can reach. */
type Family = 'script' | 'python' | 'c' | 'other'

export const familyOf = (path: string): Family => {
  const extension = extensionOf(path)
  if (/^[cm]?[jt]sx?$/.test(extension)) return 'script'
  if (/^(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/.test(extension)) return 'c'
  return /^pyi?$/.test(extension) ? 'python' : 'other'
}

/** Of languages whose imports are not followed every file concerns every other. */
export function moduleFacts(path: string, text: string): ModuleFacts {
  const family = familyOf(path)
  const read = family === 'other' ? UNKNOWN : READ[family](path, text.replace(/^\uFEFF/, ''))
  return { ...read, hash: hash('sha256', text), requests: [...new Set(read.requests)] }
}

type Read = Omit<ModuleFacts, 'hash'>

const UNKNOWN: Read = { requests: [], wholes: [], others: [], isAmbient: true }
const READ = { script: scriptFacts, python: pythonFacts, c: includeFacts } as const

/**
 * By words alone, for there may be thousands of files: rather one import too many than one too few. Every pattern
 * looks at a bounded stretch, so that no text takes more than one pass.
 */
function scriptFacts(path: string, text: string): Read {
  const named = quotedModules(text)
  const files = Array.from(text.matchAll(REFERENCED), ([, file = '']) => (isRelative(file) ? file : `./${file}`))
  const wholes = [...named.wholes, ...files]
  const code = text.replaceAll(COMMENT, '')
  const isModule = IS_MODULE.test(code) || (/[cm]?jsx?$/.test(path) ? COMMON : EQUALS).test(code)
  return {
    requests: [...wholes, ...named.others],
    wholes,
    others: namesGiven(text),
    isAmbient: isModule ? AUGMENTS.test(text) : DECLARES.test(text),
  }
}

/** The modules that are named in quotes, by what stands before the quote. */
function quotedModules(text: string): { readonly wholes: readonly string[]; readonly others: readonly string[] } {
  const [wholes, others]: [string[], string[]] = [[], []]
  for (const { index } of text.matchAll(QUOTE)) {
    if (!/[mte(/\s]/.test(text[index - 1] ?? '')) continue
    const before = withoutTrivia(text.slice(Math.max(0, index - LOOKED_BACK), index))
    const isWhole = BARE.test(before)
    if (!isWhole && !(before.endsWith('(') ? NAMES_MODULE : DECLARES_MODULE).test(before)) continue
    SPECIFIER.lastIndex = index
    const found = SPECIFIER.exec(text)
    const specifier = found?.[2] ?? found?.[3]
    if (specifier !== undefined) (isWhole ? wholes : others).push(specifier)
  }
  return { wholes, others }
}

/** Without the spaces and comments at its end. */
function withoutTrivia(text: string): string {
  let rest = text
  for (let comments = 0; comments < MOST_COMMENTS; comments++) {
    const trimmed = rest.trimEnd()
    const isLineOver = rest.includes('\n', trimmed.length)
    const comment = trimmed.endsWith('*/') ? trimmed.lastIndexOf('/*') : isLineOver ? lineComment(trimmed) : -1
    if (comment === -1) return trimmed
    rest = trimmed.slice(0, comment)
  }
  return rest
}

/** Where a comment begins on the last line; two slashes behind a colon are an address. */
function lineComment(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  const found = text.slice(line).search(/(?<!:)\/\//)
  return found === -1 ? -1 : line + found
}

/** The other names that are given in `import { a as b }` and `export { a as b }`. */
const namesGiven = (text: string): OtherName[] =>
  [...text.matchAll(LIST)].flatMap(({ index, 1: names = '' }) =>
    IN_FRONT_OF_LIST.test(text.slice(Math.max(0, index - LOOKED_BACK), index)) ? renamed(names) : [],
  )

const LOOKED_BACK = 300
const MOST_COMMENTS = 8
const QUOTE = /['"`]/g
const SPECIFIER = /(['"])([^'"\n]{1,1000})\1|`([^`\n$]{1,1000})`/y
const BARE = /\bimport$/
/**
 * Also modules that are only named in a call: loaded later, required, or replaced in a test; and types in place. A
 * call with type arguments may be any of these.
 */
const NAMES_MODULE =
  /(?:>|\b(?:import|require(?:\.resolve)?|(?:do|un|dont)?[mM]ock|importActual|importMock|requireActual|requireMock)\s*)\($/
const DECLARES_MODULE = /\b(?:from|declare\s+module)$/
const LIST = /\{([^{}]*)\}/g
const IN_FRONT_OF_LIST = /\b(?:import|export)\b[^{}()=;'"]*$/
const COMMENT = /\/\*[^]*?(?:\*\/|(?![^]))|^[ \t]*\/\/.*/gm
/** Not in a namespace, which exports on lines that are indented. */
const IS_MODULE =
  /^(?:import\b(?!\s*[(=.])|export\b)|[;}]\s*(?:export\s*(?:[{*]|default\b)|import\s*[{*'"])|\bimport\.meta\b/m
const REFERENCED = /^[ \t]*\/\/\/[ \t]*<reference[ \t]+path[ \t]*=[ \t]*["']([^"'\n]+)/gm
const COMMON = /\brequire\s*\(|\bmodule\.exports\b|\bexports\.\w/
const EQUALS = /^[ \t]*(?:export\s*=|(?:export\s+)?import\s+[\w$]+\s*=)/m
const AUGMENTS = /\bdeclare\s+(?:global\b|module\s*['"])/
const DECLARES =
  /^(?:declare\b|var\b|let\b|const\b|(?:async\s+)?function\b|(?:abstract\s+)?class\b|interface\b|type\b|(?:const\s+)?enum\b|namespace\b|module\b)/m

function pythonFacts(path: string, written: string): Read {
  const text = written.replaceAll(CONTINUED, ' ').replaceAll(PYTHON_COMMENT, '$1')
  const requests: string[] = []
  const others: OtherName[] = []
  let close = 0
  for (const { 0: head, 1: module = '', index } of text.matchAll(FROM)) {
    requests.push(module)
    // Between brackets there are names alone.
    if (index < close) continue
    const start = index + head.length
    const isBracketed = text[start] === '('
    // Where there is none behind one bracket, there is none behind the next.
    if (isBracketed && close >= 0 && close < start) close = text.indexOf(')', start)
    const names = isBracketed
      ? text.slice(start + 1, Math.max(start + 1, close))
      : (LINE.exec(text.slice(start, start + LONGEST))?.[0] ?? '')
    others.push(...renamed(names))
    const joint = module.endsWith('.') ? '' : '.'
    for (const name of namesIn(names)) if (name !== '*') requests.push(`${module}${joint}${name}`)
  }
  const wholes = Array.from(text.matchAll(IMPORT), ([, modules = '']) => namesIn(modules)).flat()
  requests.push(...wholes, ...Array.from(text.matchAll(NAMED), ([, named = '']) => named))
  return { requests, wholes, others, isAmbient: /(?:^|\/)__?builtins__?\.pyi$/.test(path) }
}

function includeFacts(_: string, text: string): Read {
  const requests = [...text.matchAll(INCLUDED)].map(([, quoted, other]) => quoted ?? other ?? COMPUTED)
  const others = [...text.matchAll(DEFINED)].flatMap(([, name = '', body = '']) =>
    Array.from(body.matchAll(CALLED_BY_MACRO), ([, of = '']) => ({ name, of })),
  )
  return { requests, wholes: [], others, isAmbient: false }
}

/** What stands between neither quotes nor brackets is made up by a macro. */
const INCLUDED =
  /(?:^[ \t]*#[ \t]*(?:include|include_next|import|embed)\b|\b__has_include(?:_next)?[ \t]*\()[ \t]*(?:"([^"\n]{1,1000})"|<([^<>\n]{1,1000})>)?/gm

const DEFINED = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^()]{0,1000}\))?[ \t]+((?:[^\n\\]|\\[^])*)/gm
const CALLED_BY_MACRO = /(?<!\w)(\w+)\s*(?:\(|$)/g

const CONTINUED = /\\\r?\n/g
/** Behind a quote it may be part of a text. */
const PYTHON_COMMENT = /^([^'"#\n]*)#[^\n]*/gm
const FROM = /(?:^|[;:])[ \t]*from\b[ \t]*([.\w]+)[ \t]*\bimport\b[ \t]*/gm
const LINE = /^[^\n#(;]*/
const LONGEST = 10_000
const IMPORT = /(?:^|[;:])[ \t]*import[ \t]+([^\n#;]+)/gm
const NAMED = /\b(?:import_module|patch(?:\.dict)?|setattr)\(\s*['"]([\w.]+)['"]/g

const namesIn = (list: string): string[] =>
  list
    .replaceAll(/#[^\n]*/g, '')
    .split(',')
    .flatMap(each => /^[\s\\]*([.\w*]+)/.exec(each)?.[1] ?? [])

const renamed = (names: string): readonly OtherName[] =>
  Array.from(names.matchAll(/(?<![\w$])([\w$]+)\s+as\s+([\w$]+)/g), ([, of = '', name = '']) => ({ name, of })).filter(
    ({ name, of }) => name !== of,
  )
