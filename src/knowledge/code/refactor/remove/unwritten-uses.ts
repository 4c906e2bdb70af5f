import { languageAt, titleOf } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'
import type { Span } from '../../../../languages/file-model/syntax-file.ts'
import { wordOf } from '../../../../languages/file-model/word-of.ts'
import { callers as servedCallers } from '../../callers/server-callers.ts'
import { timeLeft } from '../../servers/deadline.ts'
import { syntacticCallers } from '../../syntactic/syntactic-callers.ts'
import { unseenCallers } from '../../syntactic/unseen-callers.ts'
import type { Callers } from '../../types.ts'
import { plainName, type Found, type FoundSymbol } from '../find-symbol.ts'
import { lineFrom, undecidedAt, type Occurrence } from '../occurrences/occurrence.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { computingClasses } from '../rename/overriding-family.ts'

const SHOWN = 20
const WORD = /^[\p{ID_Continue}$]+$/u
const CALLED = /^(function|method|class|interface|enum)$/
const SPECIAL = /(?:^|\.)__\w+__$/u

/**
 * Where no server is asked: places that may call a symbol without writing its name, and reasons why there may be more of
 * them. Throws `conflict` for places that certainly call it so.
 */
export async function unwrittenUses(parts: RefactorParts, symbols: Found): Promise<readonly Occurrence[]> {
  const all: Occurrence[] = []
  for (const each of symbols)
    if (CALLED.test(each.span.kind)) all.push(...(await usesOfOne(parts, each, syntacticCallers)))
  return all
}

/**
 * Where a server knows every place with the name: why code outside of the workspace may call the symbol, and what may
 * call one that the language itself knows by its name. Throws `conflict` for places that certainly call it so.
 */
export async function unseenUses(parts: RefactorParts, symbols: Found): Promise<readonly Occurrence[]> {
  const all: Occurrence[] = []
  for (const each of symbols) {
    const { source, span } = each
    if (languageAt(source.path).readsClasses && SPECIAL.test(span.name)) {
      all.push(...(await specialUses(parts, each)))
      continue
    }
    const { signal } = parts.deadline
    const query = { name: span.name, deadlineMs: timeLeft(parts.deadline), ...(signal && { signal }) }
    const why =
      span.kind === 'method' ? [...(await unseenCallers(parts, source.path, query)), ...(await ofBases(each))] : []
    if (why.length > 0) all.push(undecidedAt(declaredAt(source.path, span), why.join('; ')))
  }
  return all

  /** A base from outside of the workspace may call methods by computed names. */
  async function ofBases({ source, span }: FoundSymbol): Promise<readonly string[]> {
    if (!languageAt(source.path).readsClasses) return []
    const place = { path: source.path, position: source.positionOf(span.nameAt), old: plainName(span.name) }
    const classes = await parts.ask(source.path, served => computingClasses(served, place))
    return classes.map(({ named }) => `What ${named.name} derives from, outside of the workspace, may call it`)
  }
}

/** The uses of a name that the language itself looks up. It is always in question: the interpreter may look at any time. */
async function specialUses(parts: RefactorParts, each: FoundSymbol): Promise<readonly Occurrence[]> {
  const { source, span } = each
  const askServer: AskCallers = (_, path, question) => servedCallers(parts, { ...question, path })
  const uses = CALLED.test(span.kind) ? await usesOfOne(parts, each, askServer) : []
  if (uses.some(({ kind }) => kind === 'declaration')) return uses
  const why = `${titleOf(languageAt(source.path))} itself may use ${plainName(span.name)} without its name being written`
  return [undecidedAt(declaredAt(source.path, span), why), ...uses]
}

const declaredAt = (path: string, { name, nameAt }: Span) =>
  ({ path, start: nameAt, end: nameAt + plainName(name).length, kind: 'declaration' }) as const

type AskCallers = typeof syntacticCallers

async function usesOfOne(
  parts: RefactorParts,
  { source, span }: FoundSymbol,
  ask: AskCallers,
): Promise<readonly Occurrence[]> {
  const { path } = source
  const name = plainName(span.name)
  const declaration = declaredAt(path, span)
  const answer = await callersOf(parts, path, span.name, ask)
  if (!answer) return [undecidedAt(declaration, 'its callers are not told from those of others of its name')]
  const { callers, possible, unknown } = answer
  const certain = callers.filter(isUnwritten)
  if (certain.length > 0) throw stillCalled(span.name, certain)
  return [
    ...(unknown.length === 0 ? [] : [undecidedAt(declaration, unknown.join('; '))]),
    ...possible.filter(isUnwritten).map(each => undecidedAt(lineAt(each), each.why)),
  ]

  /** Places with the name are found by it, unless it is an operator. */
  function isUnwritten(place: Line): boolean {
    const { start, end } = lineAt(place)
    const isOwn = place.path === path && start < span.end && end > span.start
    return !isOwn && !(WORD.test(name) && wordOf(name, 'u').test(parts.sources(place.path).text.slice(start, end)))
  }

  function lineAt({ path: file, line }: Line) {
    const { text, offsetOf } = parts.sources(file)
    const start = offsetOf({ line: line - 1, character: 0 })
    return { path: file, start, end: start + lineFrom(text, start).length, kind: 'name' } as const
  }
}

type Line = Pick<Callers['callers'][number], 'path' | 'line'>

/** Undefined if the name does not tell which symbol of a file is meant. */
async function callersOf(
  parts: RefactorParts,
  path: string,
  name: string,
  ask: AskCallers,
): Promise<Callers | undefined> {
  const { at, signal } = parts.deadline
  try {
    const deadlineMs = Math.max(1, at - performance.now())
    return await ask(parts, path, { name, deadlineMs, depth: 1, ...(signal && { signal }) })
  } catch (error) {
    if (error instanceof ToolError && /^(ambiguous|no_match)$/.test(error.code)) return undefined
    throw error
  }
}

function stillCalled(name: string, callers: readonly Line[]): ToolError {
  const places = callers.slice(0, SHOWN).map(({ path, line }) => `${path}:${line}`)
  return new ToolError('conflict', `'${name}' is called without its name: ${places.join(', ')}`, {
    hint: 'Change these first; nothing was deleted',
    details: { references: callers.slice(0, 200).map(({ path, line }) => ({ path, line })) },
  })
}
