import { renamesIn, type ImportFacts, type OtherName } from '../import-facts.ts'
import { isRelative } from './modules/candidates.ts'

/**
 * Reads by patterns alone, because there may be thousands of files: better one import too many than one too few. Every
 * pattern looks at a bounded stretch, so that one pass is enough for any text.
 */
export function scriptFacts(path: string, text: string): ImportFacts {
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
