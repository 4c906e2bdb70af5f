import { isScriptFile } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'
import { applySplices } from '../../../../machine/text/edit/splice-text.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import type { Stretch } from '../../../../languages/file-model/syntax-file.ts'
import type { Source } from '../../source.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { findDeclarations, namedPlace, placeOf } from '../find-symbol.ts'
import { importersAround } from '../importers-around.ts'
import { leadingStart, withoutDeclaration } from '../declaration-lines.ts'
import { ensureNoErrors, type NewError } from '../new-errors.ts'
import { decoratorsIn } from '../occurrences/declaration-doubts.ts'
import { targetOf, undecidedAt, type NamedPlace, type Occurrence } from '../occurrences/occurrence.ts'
import { occurrencesOf, type OccurrencesOptions } from '../occurrences/occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { implicitOccurrences } from '../occurrences/implicit-occurrences.ts'
import { exportPlaces, moduleFile, withoutExports } from '../move/module-file.ts'
import type { RefactorParts } from '../refactor-parts.ts'
import { requiredUses, usesOf, type Use } from '../uses-of.ts'
import { loadEffects } from './load-effects.ts'
import { unseenUses, unwrittenUses } from './unwritten-uses.ts'

const SHOWN = 20

/** Removes a symbol with its comments and its entries in the file's own export lists, unless something refers to it. */
export async function remove(parts: RefactorParts, question: RefactorQuestion): Promise<Refactoring> {
  const declarations = await findDeclarations(parts, question)
  const [first] = declarations
  const { source, span, syntax } = first
  const { path } = source
  const spans = declarations.map(each => each.span)
  if (spans.some(({ shares }) => shares))
    throw new ToolError('invalid_input', `'${span.name}' is declared together with others`, {
      hint: 'Edit the declaration by its text',
    })
  const { uses: directUses, basis, unread } = await usesOf(parts, declarations)
  const place = namedPlace(declarations)
  const besides = await requiredUses(parts, place)
  const uses = [...new Map([...directUses, ...besides].map(use => [`${use.path} ${use.start}`, use])).values()]
  const file = isScriptFile(path) ? await moduleFile(source) : undefined
  // A sibling declaration of the same name, such as the setter of a getter, is no use of it.
  const isKin = (offset: number) => syntax.spans.some(({ name, nameAt }) => name === span.name && nameAt === offset)
  const ownStretches = [...spans, ...(file ? exportPlaces(file) : [])]
  const isOwn = (at: string, offset: number) =>
    at === path && (isKin(offset) || ownStretches.some(each => holds(each, offset)))
  const others = uses.filter(use => !isOwn(use.path, use.start))
  if (others.length > 0 || unread > 0) throw stillUsed(span.name, others, unread)
  const isServed = basis.by === 'server'
  const mentions = await occurrencesElsewhere(parts, place, { isChanged: isOwn, isServed })
  const unwritten = isServed ? await unseenUses(parts, declarations) : await unwrittenUses(parts, declarations)
  const effects = await loadEffects(parts, declarations)
  const { occurrences } = settle(parts, span.name, [...unwritten, ...effects, ...mentions], question)
  const isUsed = (name: Stretch) => uses.some(use => use.path === path && holds(name, use.start))
  const exportRemovals = file ? withoutExports(file, isUsed) : []
  const groups = neighbours(source, syntax.comments, spans)
  const splices = groups.flatMap((group, at) =>
    withoutDeclaration(source, syntax.comments, group, at === groups.length - 1 ? exportRemovals : []),
  )
  const after = await parseSyntax(path, applySplices(path, source.text, splices))
  if (after?.error && !syntax.error)
    throw new ToolError('invalid_input', `${path} would not parse without '${span.name}'`, {
      hint: 'The enclosing code may need something in its place: use replace-body there',
    })
  const edits = [{ kind: 'change', path, splices } as const]
  // Nothing names the symbol, but an operator may call it, or a type may require it. A named symbol only matters to
  // importers of its module; a member matters to every user of its type.
  if (isServed)
    await ensureNoErrors(parts, edits, {
      path,
      also: await importersAround(parts, path, span.name.includes('.') ? 'all' : 'direct'),
      expected: isLeftOver,
      what: `'${span.name}' is still needed`,
      hint: 'Change these first; nothing was deleted',
    })
  return {
    target: placeOf(first),
    edits,
    basis,
    occurrences,
    warnings: isServed
      ? []
      : [`No language server was asked: that nothing refers to '${span.name}' is known from the text alone`],
  }
}

const holds = ({ start, end }: Stretch, offset: number): boolean => offset >= start && offset < end

/** A name that only the symbol used is now unused, which is harmless. */
const isLeftOver = ({ message }: NewError): boolean =>
  /\bis declared but\b|\bimports in import declaration are unused\b|\bis not accessed\b/.test(message)

/** Other occurrences of the deleted name, and reasons why it may be used without being written. */
async function occurrencesElsewhere(
  parts: RefactorParts,
  place: NamedPlace,
  options: OccurrencesOptions,
): Promise<readonly Occurrence[]> {
  const target = targetOf(parts, place)
  const start = parts.sources(place.path).offsetOf(place.position)
  const at = { path: place.path, start, end: start + place.old.length, kind: 'declaration' } as const
  return [
    ...decoratorsIn(place.head).map(name => undecidedAt(at, `the decorator ${name} may register it`)),
    ...(await implicitOccurrences(parts, target, { isDeleted: true })),
    ...(await occurrencesOf(parts, target, options)),
  ]
}

/** Declarations with only their comments between them are removed together. */
function neighbours(source: Source, comments: readonly Stretch[], spans: readonly Stretch[]): readonly Stretch[] {
  const groups: Stretch[] = []
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    const last = groups.at(-1)
    const isNext = last && /^[\s;,]*$/.test(source.text.slice(last.end, leadingStart(source, comments, start)))
    if (last && isNext) groups[groups.length - 1] = { start: last.start, end }
    else groups.push({ start, end })
  }
  return groups
}

function stillUsed(name: string, uses: readonly Use[], unread: number): ToolError {
  const places = [...new Set(uses.map(({ path, line }) => `${path}:${line}`))]
  const more = [
    ...(places.length > SHOWN ? [`${places.length - SHOWN} more`] : []),
    ...(unread > 0 ? [`${unread} places in files that may not be read`] : []),
  ]
  return new ToolError('conflict', `'${name}' is still used: ${[...places.slice(0, SHOWN), ...more].join(', ')}`, {
    hint: 'Change these first; nothing was deleted',
    details: { references: uses.slice(0, 200).map(({ path, line, text }) => ({ path, line, text })) },
  })
}
