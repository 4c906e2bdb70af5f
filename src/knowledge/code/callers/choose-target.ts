import { ToolError } from '../../../kernel/error.ts'
import { KIND } from '../servers/lsp-words.ts'
import type { Named } from './named.ts'
import { notDefined } from './not-defined.ts'

/** The symbol that a name means in a file, with all its overloads; `no_match` where there is none, `ambiguous` where there are several. */
export function chooseTarget(named: readonly Named[], asked: string, path: string): readonly Named[] {
  const exact = exactly(named, asked)
  const like =
    exact.length > 0 ? exact : named.filter(({ name, whole }) => [name, whole].some(each => each.endsWith(`.${asked}`)))
  // A constructor by the name of its class is what is called when the class is.
  const found = like.filter(({ name, plain }) => !like.some(other => other.name === `${name}.${plain}`))
  const groups = Object.values(Object.groupBy(found, ({ name, beside }) => `${beside} ${name}`)).flatMap(each => [
    each ?? [],
  ])
  // An outer one is meant rather than one that only the inside of a function knows.
  const outermost = groups.filter(([one]) => one?.beside === '')
  const [only, ...others] = outermost.length === 1 ? outermost : groups
  if (only && others.length === 0) return only
  if (!only)
    throw notDefined(
      asked,
      path,
      named.map(({ name }) => name),
    )
  const which = [
    ...new Set(groups.flatMap(([one]) => (one ? [`${one.whole} (line ${one.selection.start.line + 1})`] : []))),
  ]
  throw new ToolError('ambiguous', `'${asked}' is defined ${groups.length} times in ${path}`, {
    hint: `Say which one, as Class.method: ${which.join(', ')}`,
    details: { path, symbols: which },
  })
}

/** Servers that have no name for a constructor count it as its class. */
function exactly(named: readonly Named[], asked: string): readonly Named[] {
  const found = named.filter(({ name, whole }) => name === asked || whole === asked)
  const holder = asked.endsWith(CONSTRUCTOR) ? asked.slice(0, -CONSTRUCTOR.length) : undefined
  if (found.length > 0 || holder === undefined) return found
  return named.filter(({ name, kind }) => kind === KIND.class && (name === holder || name.endsWith(`.${holder}`)))
}

const CONSTRUCTOR = '.constructor'
