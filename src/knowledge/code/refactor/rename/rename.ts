import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { CodeParts } from '../../code-parts.ts'
import { deadlineOf } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { FileEdit, Refactoring, RefactorQuestion } from '../../types.ts'
import { demandSeen } from '../demand-seen.ts'
import { requiredUses } from '../required-uses.ts'
import { sourcesOf, stretchOf, type Sources } from '../../source.ts'
import { computedOccurrences } from '../occurrences/computed-occurrences.ts'
import { declarationDoubts } from '../occurrences/declaration-doubts.ts'
import { occurrencesOf } from '../occurrences/occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { targetOf, type DeclaredAt } from '../occurrences/target.ts'
import { unwrittenDoubts } from '../occurrences/unwritten-doubts.ts'
import { demandTouchable, touchable } from '../touchable.ts'
import { checkedName } from './checked-name.ts'
import { demandFree, usesAt } from './demand-free.ts'
import { followedRename } from './followed-rename.ts'
import { demandOurs } from './foreign-bases.ts'
import { overridingFamily } from './overriding-family.ts'
import { renamedPlace, type RenamedPlace } from './renamed-place.ts'
import { withShorthands } from './shorthands.ts'

/** Another name for a symbol wherever it is used, as its language server says. */
export async function rename(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const { to: name = '' } = question
  demandSeen(parts)
  const deadline = deadlineOf(question)
  const sources = sourcesOf(parts)
  const staged = stagedTexts(parts.root, parts.staging)
  const place = await renamedPlace(parts, sources, question, staged, deadline)
  checkedName(place.path, place.old, name)
  const asked = await parts.servers.ask(place.path, staged, deadline, async server => {
    const family = await overridingFamily(parts, server, sources, place, name)
    const own = [place.position, ...place.also].map(position => ({ path: place.path, position }))
    const places = [...own, ...family.places]
    const changes = await changesOf(parts, server, sources, { ...place, places }, name)
    const before = await usesAt(server, places)
    return { server: server.name, family, places, changes, before, pathOf: server.pathOf }
  })
  const target = targetOf(sources, place, asked.places)
  const isChanged = (path: string, start: number) =>
    asked.changes.get(path)?.some(each => each.start <= start && each.end > start) ?? false
  const unfollowed = await requiredUses(parts, sources, place, question)
  const found = await occurrencesOf(parts, sources, target, { deadline, isChanged, unfollowed, to: name })
  const doubts = await declarationDoubts(parts, sources, {
    target,
    head: place.head,
    unknown: asked.family.unknown,
    found,
    deadline,
  })
  const unwritten = await unwrittenDoubts(parts, sources, target, deadline)
  const computed = await computedOccurrences(parts, target, deadline)
  const all = [...unwritten, ...doubts, ...computed, ...found]
  const { included, occurrences } = settle(sources, place.name, all, question)
  await demandTouchable(parts, included.keys())
  const changes = new Map(asked.changes)
  for (const [path, splices] of included) changes.set(path, [...(changes.get(path) ?? []), ...splices])
  const edits = [...changes]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, splices]): FileEdit => ({ kind: 'change', path, splices }))
  const tried = { ...asked, changes }
  await demandOurs(parts, sources, { ...tried, old: place.old, name, deadline })
  await demandFree(parts, { ...tried, edits, sources, place, name, deadline, isWhole: question.strict !== false })
  return {
    target: { name: place.name, path: place.path, line: place.position.line + 1 },
    edits,
    basis: { by: 'server', server: asked.server },
    warnings: [],
    occurrences,
  }
}

async function changesOf(
  parts: CodeParts,
  server: AskedServer,
  sources: Sources,
  place: RenamedPlace & { readonly places: readonly DeclaredAt[] },
  name: string,
): Promise<ReadonlyMap<string, readonly Splice[]>> {
  if (!server.can('rename'))
    throw new ToolError('unavailable', `The language server '${server.name}' does not rename`, {
      hint: 'references lists every place; edit them by their text',
    })
  const edits = await followedRename(server, place.places, place.old, name)
  if (edits.length === 0)
    throw new ToolError('no_match', `'${place.name}' (${place.path}:${place.position.line + 1}) cannot be renamed`, {
      hint: `The language server '${server.name}' says that its name is not ours to change`,
    })
  const files = await touchable(parts, server.pathOf, edits)
  const changes = new Map<string, readonly Splice[]>()
  for (const [path, some] of files) {
    const source = sources(path)
    const splices = some.map(({ range, text }) => {
      const { start, end } = stretchOf(source, range)
      return source.splice(start, end, text)
    })
    if (splices.some(({ old }) => old !== place.old)) throw notThere(path, place.old)
    changes.set(path, await withShorthands(source, splices, name))
  }
  return new Map([...changes].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const notThere = (path: string, old: string): ToolError =>
  new ToolError('conflict', `${path} does not have '${old}' where the language server sees it`, {
    hint: 'It may be in an encoding that the server does not read: convert it first, or edit it by its text',
  })
