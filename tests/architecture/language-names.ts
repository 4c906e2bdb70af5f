import { parseSync, Visitor } from 'rolldown/utils'
import { LANGUAGES } from '../../src/languages/registry.ts'

/** A place that knows a language by its name, its server or its extensions. */
export interface LanguageName {
  readonly file: string
  readonly line: number
  readonly written: string
}

/** Folders that ask a language for what they need, and know none of them. */
export const ASKING: readonly string[] = ['knowledge', 'engines', 'contracts', 'surfaces']

/** In these a language may stand in an example or a text for people, but nothing is compared with it. */
const SHOWS_EXAMPLES = /^src\/(contracts|surfaces)\//

/** Names that are words of their own count only where a whole text is one. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(['c', 'go', 'less', 'css', 'sass', 'scss'])

const names = [...new Set(LANGUAGES.flatMap(({ name, server }) => [name, ...(server ? [server.name] : [])]))]
const distinct = names.filter(name => !PLAIN_WORDS.has(name)).map(name => name.replaceAll('-', String.raw`\-`))
const extensions = LANGUAGES.filter(({ parser }) => parser !== undefined).flatMap(each => each.extensions)

/** `python`, `isPython`, `PYTHON_WORDS`, but not `javascripts` of a page. */
const NAME = new RegExp(`(?<![A-Za-z])(${distinct.join('|')})(?![a-z])`, 'i')
const PART = new RegExp(`^(${distinct.join('|')})(?![a-z])|[a-z](${distinct.map(capital).join('|')})(?![a-z])`)
/** `.py`, `\.pyi?`, `[cm]?[jt]sx?`. */
const ENDING = new RegExp(
  String.raw`(?:^|[^\w.\]])\\?\.(?:d\\?\.)?(?:\(\?:|\()?(${extensions.join('|')})(?![\w.])|__init__|\[[cm]+\]\??\[?[jt]`,
)
const WHOLE = new RegExp(`^(${[...names, ...extensions].join('|')})$`)

const MAY_NAME = new RegExp(
  `${distinct.join('|')}|\\.(?:${extensions.join('|')})(?!\\w)|__init__|\\[[cm]+\\]|['"](?:${[...names, ...extensions].join('|')})['"]`,
  'i',
)

function capital(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

/** Finds the places in a source that name a language; an imported path is none. */
export function languageNames(file: string, text: string): readonly LanguageName[] {
  // Most files name none, and to make their trees would take most of the time.
  const code = text.replaceAll(/'\.\.?\/[^'\n]*'/g, '').replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
  if (!MAY_NAME.test(code)) return []
  const { program } = parseSync(file, text)
  const places: LanguageName[] = []
  const isLax = SHOWS_EXAMPLES.test(file)
  const add = (start: number, written: string): void => {
    places.push({ file, line: text.slice(0, start).split('\n').length, written: written.slice(0, 80) })
  }
  const skipped = new Set<number>()
  const skip = (source: { readonly start: number } | null): void => void (source && skipped.add(source.start))
  new Visitor({
    ImportDeclaration: ({ source }) => skip(source),
    ExportAllDeclaration: ({ source }) => skip(source),
    ExportNamedDeclaration: ({ source }) => skip(source),
    ImportExpression: ({ source }) => skip(source),
    TSImportType: ({ source }) => skip(source),
    Literal(node) {
      if (skipped.has(node.start)) return
      if ('regex' in node && node.regex) {
        if (!isLax && (NAME.test(node.regex.pattern) || ENDING.test(node.regex.pattern)))
          add(node.start, node.regex.pattern)
      } else if (typeof node.value === 'string' && !isLax && (NAME.test(node.value) || ENDING.test(node.value)))
        add(node.start, node.value)
    },
    TemplateElement(node) {
      if (!isLax && (NAME.test(node.value.raw) || ENDING.test(node.value.raw))) add(node.start, node.value.raw)
    },
    BinaryExpression({ operator, left, right }) {
      if (!/^[!=]==?$/.test(operator)) return
      for (const side of [left, right])
        if (side.type === 'Literal' && typeof side.value === 'string' && WHOLE.test(side.value))
          add(side.start, side.value)
    },
    SwitchCase({ test }) {
      if (test?.type === 'Literal' && typeof test.value === 'string' && WHOLE.test(test.value))
        add(test.start, test.value)
    },
    Identifier({ start, name }) {
      if (NAME.test(name) || PART.test(name)) add(start, name)
    },
  }).visit(program)
  return [...new Map(places.map(each => [`${each.line} ${each.written}`, each])).values()]
}
