import { ToolError } from '../../../kernel/error.ts'
import type { FileModel } from '../../../languages/file-model/file-model.ts'
import { isOverload, overloadName, withTypes } from '../../model/overload-name.ts'
import { parseModel } from '../../model/parse-model.ts'
import { KIND } from '../servers/lsp-schemas.ts'
import type { Source } from '../source.ts'
import type { NamedSymbol } from './named-symbol.ts'
import type { ServerQuestion } from './ask-server.ts'

/**
 * The symbol that a name refers to in a file, with all overloads. Throws `no_match` if there is none, `ambiguous` if
 * there are several.
 */
export function chooseTarget(
  symbols: readonly NamedSymbol[],
  symbolName: string,
  path: string,
): readonly NamedSymbol[] {
  const exact = exactly(symbols, symbolName)
  const like =
    exact.length > 0
      ? exact
      : symbols.filter(({ name, whole }) => [name, whole].some(each => each.endsWith(`.${symbolName}`)))
  // Calling a class calls its constructor, which has the name of the class.
  const innermost = like.filter(({ name, plain }) => !like.some(other => other.name === `${name}.${plain}`))
  const groups = Object.values(Object.groupBy(innermost, ({ name, beside }) => `${beside} ${name}`)).flatMap(each => [
    each ?? [],
  ])
  // Prefers an outer symbol to one that is local to a function.
  const outermost = groups.filter(([one]) => one?.beside === '')
  const [only, ...others] = outermost.length === 1 ? outermost : groups
  if (only && others.length === 0) return only
  if (!only)
    throw notDefined(
      symbolName,
      path,
      symbols.map(({ name }) => name),
    )
  const which = [
    ...new Set(groups.flatMap(([one]) => (one ? [`${one.whole} (line ${one.selection.start.line + 1})`] : []))),
  ]
  throw new ToolError('ambiguous', `'${symbolName}' is defined ${groups.length} times in ${path}`, {
    hint: `Say which one, as Class.method: ${which.join(', ')}`,
    details: { path, symbols: which },
  })
}

/** Servers that have no name for a constructor count it as its class. */
function exactly(named: readonly NamedSymbol[], asked: string): readonly NamedSymbol[] {
  const exactMatches = named.filter(({ name, whole }) => name === asked || whole === asked)
  const holder = asked.endsWith(CONSTRUCTOR) ? asked.slice(0, -CONSTRUCTOR.length) : undefined
  if (exactMatches.length > 0 || holder === undefined) return exactMatches
  return named.filter(({ name, kind }) => kind === KIND.class && (name === holder || name.endsWith(`.${holder}`)))
}

const CONSTRUCTOR = '.constructor'

/** The symbol in question. A server lists nothing of unparsable code: our own parser reports that. */
export async function requestedTarget(
  { looks, path }: Pick<ServerQuestion, 'looks' | 'path'>,
  symbolName: string,
): Promise<readonly NamedSymbol[]> {
  const symbols = await looks.named(path)
  const source = looks.source(path)
  const { name, taken } = overloadName(symbolName)
  const targets = await targetIn(symbols, name, source)
  return taken === undefined ? targets : overloadsOf(targets, taken, symbolName, source)
}

async function targetIn(
  named: readonly NamedSymbol[],
  asked: string,
  { path, text }: Source,
): Promise<readonly NamedSymbol[]> {
  try {
    return chooseTarget(named, asked, path)
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'no_match') throw error
    const code = await parseModel(path, Buffer.from(text))
    const names = named.map(({ name }) => name)
    throw notDefined(asked, path, names, code)
  }
}

/** Those with these parameter types, by our own parser: servers do not list them apart. */
async function overloadsOf(
  found: readonly NamedSymbol[],
  taken: string,
  asked: string,
  { path, text, offsetOf }: Source,
): Promise<readonly NamedSymbol[]> {
  const code = await parseModel(path, Buffer.from(text))
  const symbolByOffset = new Map(code?.symbols.map(symbol => [symbol.nameAt, symbol]))
  const symbolOf = ({ selection }: NamedSymbol) => symbolByOffset.get(offsetOf(selection.start)) ?? {}
  const overloads = found.filter(each => isOverload(symbolOf(each), taken))
  if (overloads.length > 0) return overloads
  throw notDefined(
    asked,
    path,
    found.map(each => withTypes(each.name, symbolOf(each))),
  )
}

const MOST_NAMES = 20

/** The error for a name that a file does not define, as far as the file could be parsed. */
export function notDefined(
  symbolName: string,
  path: string,
  definedNames: readonly string[],
  { unread = [], isUnparsed }: Pick<FileModel, 'unread' | 'isUnparsed'> = {},
): ToolError {
  if (isUnparsed)
    return new ToolError('no_match', `No function '${symbolName}' is known in ${path}: the file could not be parsed`, {
      hint: 'Look for it with grep',
    })
  const unreadRanges = unread.filter(({ declares }) =>
    declares.includes(symbolName.slice(symbolName.lastIndexOf('.') + 1)),
  )
  const names = [...new Set(definedNames)]
  const definitionsText =
    names.length > 0 ? `It defines ${names.slice(0, MOST_NAMES).join(', ')}` : 'It defines nothing'
  return new ToolError('no_match', `${path} has no function '${symbolName}'`, {
    hint: [
      names.length > MOST_NAMES ? `${definitionsText} and ${names.length - MOST_NAMES} more` : definitionsText,
      ...unreadRanges.map(({ from, to }) => `lines ${from} to ${to}, where it is written, do not parse`),
    ].join('; '),
  })
}
