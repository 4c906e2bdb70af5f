import { hash } from 'node:crypto'
import { isRelative } from '../../index/modules/candidates.ts'
import { COMPUTED } from './included-files.ts'
import { extensionOf } from '../servers/documents.ts'

/** An alias of a name. */
export interface OtherName {
  readonly name: string
  readonly of: string
}

/** The facts of a file that decide which files depend on each other. */
export interface ModuleFacts {
  readonly hash: string
  /** Its imports as written. */
  readonly requests: readonly string[]
  /** Requests that import no names. */
  readonly wholes: readonly string[]
  /** It declares something for files that do not import it. */
  readonly isAmbient: boolean
  /** Aliases from its imports, exports and macros. */
  readonly others: readonly OtherName[]
}

/** Languages whose imports tell which files a change can reach. */
type Family = 'script' | 'python' | 'c' | 'other'

export const familyOf = (path: string): Family => {
  const extension = extensionOf(path)
  if (/^[cm]?[jt]sx?$/.test(extension)) return 'script'
  if (/^(?:[ch]|cc|cpp|cxx|hh|hpp|hxx)$/.test(extension)) return 'c'
  return /^pyi?$/.test(extension) ? 'python' : 'other'
}

/** In languages whose imports are not followed, every file depends on every other. */
export function moduleFacts(path: string, text: string): ModuleFacts {
  const family = familyOf(path)
  const read = family === 'other' ? UNKNOWN : READ[family](path, text.replace(/^\uFEFF/, ''))
  return { ...read, hash: hash('sha256', text), requests: [...new Set(read.requests)] }
}

type Read = Omit<ModuleFacts, 'hash'>

const UNKNOWN: Read = { requests: [], wholes: [], others: [], isAmbient: true }
const READ = { script: scriptFacts, python: pythonFacts, c: includeFacts } as const

/**
 * Reads by patterns alone, because there may be thousands of files: better one import too many than one too few. Every
 * pattern looks at a bounded stretch, so that one pass is enough for any text.
 */
function scriptFacts(path: string, text: string): Read {
  const quotedNames = quotedModules(text)
  const files = Array.from(text.matchAll(REFERENCED), ([, file = '']) => (isRelative(file) ? file : `./${file}`))
  const wholes = [...quotedNames.wholes, ...files]
  const code = text.replaceAll(COMMENT, '')
  const isModule = IS_MODULE.test(code) || (/[cm]?jsx?$/.test(path) ? COMMON : EQUALS).test(code)
  return {
    requests: [...wholes, ...quotedNames.others],
    wholes,
    others: namesGiven(text),
    isAmbient: isModule ? AUGMENTS.test(text) : DECLARES.test(text),
  }
}

/** Modules named in quotes, classified by the text before the quote. */
function quotedModules(text: string): { readonly wholes: readonly string[]; readonly others: readonly string[] } {
  const [wholes, others]: [string[], string[]] = [[], []]
  for (const { index } of text.matchAll(QUOTE)) {
    if (!/[mte(/\s]/.test(text[index - 1] ?? '')) continue
    const before = withoutTrivia(text.slice(Math.max(0, index - LOOKED_BACK), index))
    const isWhole = BARE.test(before)
    if (!isWhole && !(before.endsWith('(') ? NAMES_MODULE : DECLARES_MODULE).test(before)) continue
    SPECIFIER.lastIndex = index
    const specifierMatch = SPECIFIER.exec(text)
    const specifier = specifierMatch?.[2] ?? specifierMatch?.[3]
    if (specifier !== undefined) (isWhole ? wholes : others).push(specifier)
  }
  return { wholes, others }
}

/** Strips spaces and comments at the end. */
function withoutTrivia(text: string): string {
  let rest = text
  for (let comments = 0; comments < MOST_COMMENTS; comments++) {
    const trimmedText = rest.trimEnd()
    const isLineOver = rest.includes('\n', trimmedText.length)
    const comment = trimmedText.endsWith('*/')
      ? trimmedText.lastIndexOf('/*')
      : isLineOver
        ? lineComment(trimmedText)
        : -1
    if (comment === -1) return trimmedText
    rest = trimmedText.slice(0, comment)
  }
  return rest
}

/** The start of a comment on the last line; two slashes after a colon are a URL. */
function lineComment(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  const commentAt = text.slice(line).search(/(?<!:)\/\//)
  return commentAt === -1 ? -1 : line + commentAt
}

/** Aliases in `import { a as b }` and `export { a as b }`. */
const namesGiven = (text: string): OtherName[] =>
  [...text.matchAll(LIST)].flatMap(({ index, 1: names = '' }) =>
    IN_FRONT_OF_LIST.test(text.slice(Math.max(0, index - LOOKED_BACK), index)) ? renamesIn(names) : [],
  )

const LOOKED_BACK = 300
const MOST_COMMENTS = 8
const QUOTE = /['"`]/g
const SPECIFIER = /(['"])([^'"\n]{1,1000})\1|`([^`\n$]{1,1000})`/y
const BARE = /\bimport$/
/**
 * Includes modules that only a call names: loaded later, required, or mocked in a test; and inline type imports. A call
 * with type arguments may be any of these.
 */
const NAMES_MODULE =
  /(?:>|\b(?:import|require(?:\.resolve)?|(?:do|un|dont)?[mM]ock|importActual|importMock|requireActual|requireMock)\s*)\($/
const DECLARES_MODULE = /\b(?:from|declare\s+module)$/
const LIST = /\{([^{}]*)\}/g
const IN_FRONT_OF_LIST = /\b(?:import|export)\b[^{}()=;'"]*$/
const COMMENT = /\/\*[^]*?(?:\*\/|(?![^]))|^[ \t]*\/\/.*/gm
/** Not in a namespace, whose exports are indented. */
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
    // Only names stand between brackets.
    if (index < close) continue
    const start = index + head.length
    const isBracketed = text[start] === '('
    // If none follows one bracket, none follows the next.
    if (isBracketed && close >= 0 && close < start) close = text.indexOf(')', start)
    const names = isBracketed
      ? text.slice(start + 1, Math.max(start + 1, close))
      : (LINE.exec(text.slice(start, start + LONGEST))?.[0] ?? '')
    others.push(...renamesIn(names))
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

/** An include with neither quotes nor brackets is computed by a macro. */
const INCLUDED =
  /(?:^[ \t]*#[ \t]*(?:include|include_next|import|embed)\b|\b__has_include(?:_next)?[ \t]*\()[ \t]*(?:"([^"\n]{1,1000})"|<([^<>\n]{1,1000})>)?/gm

const DEFINED = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^()]{0,1000}\))?[ \t]+((?:[^\n\\]|\\[^])*)/gm
const CALLED_BY_MACRO = /(?<!\w)(\w+)\s*(?:\(|$)/g

const CONTINUED = /\\\r?\n/g
/** After a quote it may be part of a string. */
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

const renamesIn = (names: string): readonly OtherName[] =>
  Array.from(names.matchAll(/(?<![\w$])([\w$]+)\s+as\s+([\w$]+)/g), ([, of = '', name = '']) => ({ name, of })).filter(
    ({ name, of }) => name !== of,
  )
