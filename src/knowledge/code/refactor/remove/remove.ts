import { ToolError } from '../../../../kernel/error.ts'
import { spliced } from '../../../../machine/text/edit/splice-text.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { deadlineOf } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import { findSymbols, placeOf, type FoundSymbol } from '../find-symbol.ts'
import { leadingStart, withoutDeclaration } from '../leading.ts'
import { demandOneSymbol } from '../one-symbol.ts'
import { sourcesOf, type Source, type Sources } from '../../source.ts'
import type { Stretch } from '../../../model/syntax/syntax-file.ts'
import { parseSyntax } from '../../../model/syntax/parse-syntax.ts'
import { decoratorsIn } from '../occurrences/declaration-doubts.ts'
import { computedOccurrences } from '../occurrences/computed-occurrences.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { occurrencesOf, type OccurrencesOptions } from '../occurrences/occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { targetOf } from '../occurrences/target.ts'
import { unwrittenDoubts } from '../occurrences/unwritten-doubts.ts'
import { scopeOf } from '../rename/renamed-place.ts'
import { requiredUses } from '../required-uses.ts'
import { demandSound } from './demand-sound.ts'
import { ownExports } from './own-exports.ts'
import { usesOf, type Use, type Uses } from './uses-of.ts'

const SHOWN = 20

/** Takes a symbol away with its comments and its place in the file's own export lists, unless something refers to it. */
export async function remove(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const sources = sourcesOf(parts)
  const all = await findSymbols(parts, sources, question)
  const staged = stagedTexts(parts.root, parts.staging)
  const deadline = deadlineOf(question)
  const found = await demandOneSymbol({ ...parts, staged, deadline }, question.symbol ?? '', all)
  const { source, span, syntax } = found
  const spans = all.map(each => each.span)
  if (spans.some(({ shares }) => shares))
    throw new ToolError('invalid_input', `'${span.name}' is declared together with others`, {
      hint: 'Edit the declaration by its text',
    })
  const { uses: known, basis, unread } = await usesOfAll(parts, sources, all, question)
  const position = source.positionOf(span.nameAt)
  const besides = await requiredUses(parts, sources, { ...placeOf(found), position }, question)
  const uses = [...new Map([...known, ...besides].map(use => [`${use.path} ${use.offset}`, use])).values()]
  const listed = await ownExports(source)
  const isOf = (stretch: Stretch) => (use: Pick<Use, 'path' | 'offset'>) =>
    use.path === source.path && use.offset >= stretch.start && use.offset < stretch.end
  const own = [...spans, ...listed.flatMap(({ names }) => names)].map(isOf)
  // What is declared under the same name beside it is no use of it, as the setter of a getter.
  const kin = syntax.spans.filter(({ name }) => name === span.name)
  const isKin = (use: Pick<Use, 'path' | 'offset'>) =>
    use.path === source.path && kin.some(({ nameAt }) => nameAt === use.offset)
  const others = uses.filter(use => !isKin(use) && !own.some(isOwn => isOwn(use)))
  if (others.length > 0 || unread > 0) throw stillUsed(found, others, unread)
  const isGone = (path: string, offset: number) =>
    [...own, isKin].some(isIt => isIt({ path, offset })) || uses.some(use => use.path === path && use.offset === offset)
  const isServed = basis.by === 'server'
  const written = await occurrencesElsewhere(parts, sources, all, { deadline, isChanged: isGone, isServed })
  const { occurrences } = settle(sources, span.name, written, question)
  const gone = listed.flatMap(({ names, without }) => {
    const some = names.filter(name => uses.some(isOf(name)))
    return some.length > 0 ? without(some) : []
  })
  const groups = neighbours(source, syntax.comments, spans)
  const splices = groups.flatMap((group, at) =>
    withoutDeclaration(source, syntax.comments, group, at === groups.length - 1 ? gone : []),
  )
  const after = await parseSyntax(source.path, spliced(source.path, source.text, splices))
  if (after?.error && !syntax.error)
    throw new ToolError('invalid_input', `${source.path} would not parse without '${span.name}'`, {
      hint: 'What it stands in may need something in its place: use replace-body there',
    })
  const edits = [{ kind: 'change', path: source.path, splices } as const]
  if (basis.by === 'server') await demandSound(parts, sources, found, edits, deadline)
  return {
    target: placeOf(found),
    edits,
    basis,
    occurrences,
    warnings: [
      ...(basis.by === 'syntax'
        ? [`No language server was asked: that nothing refers to '${span.name}' is known from the text alone`]
        : []),
      ...(/(?:^|\.)__\w+__$/.test(span.name)
        ? [
            `'${span.name}' may be called without its name, as operators do: only what the server finds wrong then is known`,
          ]
        : []),
    ],
  }
}

/** Where the name of what is deleted is written besides, and why it may be asked for though nobody writes it. */
async function occurrencesElsewhere(
  parts: CodeParts,
  sources: Sources,
  found: readonly FoundSymbol[],
  options: OccurrencesOptions,
): Promise<readonly Occurrence[]> {
  const [first] = found
  if (!first) throw new Error('What was found is at least one')
  const { source, span, syntax } = first
  const { path, text } = source
  const old = span.name.slice(span.name.lastIndexOf('.') + 1)
  const places = found.map(each => ({ path, position: source.positionOf(each.span.nameAt) }))
  const place = { name: span.name, old, path, scope: scopeOf(span.name, syntax.spans) }
  const target = targetOf(sources, { ...place, position: source.positionOf(span.nameAt) }, places)
  const at = { path, start: span.nameAt, end: span.nameAt + old.length, kind: 'declaration' } as const
  const doubts = decoratorsIn(text.slice(span.start, span.nameAt)).map((name): Occurrence => ({
    ...at,
    verdict: 'not decided',
    why: `the decorator ${name} may register it`,
    blocks: true,
  }))
  doubts.push(...(await unwrittenDoubts(parts, sources, target, options.deadline)))
  doubts.push(...(await computedOccurrences(parts, target, options.deadline)))
  return [...doubts, ...(await occurrencesOf(parts, sources, target, options))]
}

/** Of declarations that make up one symbol every use, each once. */
async function usesOfAll(
  parts: CodeParts,
  sources: Sources,
  found: readonly FoundSymbol[],
  question: RefactorQuestion,
): Promise<Uses> {
  const [first, ...more] = found
  if (!first) throw new Error('What was found is at least one')
  const { uses, unread, basis } = await usesOf(parts, sources, first, question)
  const all = new Map(uses.map(use => [keyOf(use.path, use.offset), use]))
  let unseen = unread
  for (const { source, span, syntax } of more) {
    // One that is among the uses of another has the same ones.
    if (all.has(keyOf(source.path, span.nameAt))) continue
    const further = await usesOf(parts, sources, { source, span, syntax }, question)
    for (const use of further.uses) all.set(keyOf(use.path, use.offset), use)
    unseen += further.unread
  }
  return { uses: [...all.values()], unread: unseen, basis }
}

const keyOf = (path: string, offset: number): string => `${path}:${offset}`

/** Declarations with nothing but their comments between them go together. */
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

function stillUsed({ span }: FoundSymbol, uses: readonly Use[], unread: number): ToolError {
  const places = [...new Set(uses.map(({ path, line }) => `${path}:${line}`))]
  const more = [
    ...(places.length > SHOWN ? [`${places.length - SHOWN} more`] : []),
    ...(unread > 0 ? [`${unread} places in files that may not be read`] : []),
  ]
  const which = [...places.slice(0, SHOWN), ...more].join(', ')
  return new ToolError('conflict', `'${span.name}' is still used: ${which}`, {
    hint: 'Change these first; nothing was deleted',
    details: { references: uses.slice(0, 200).map(({ path, line, text }) => ({ path, line, text })) },
  })
}
