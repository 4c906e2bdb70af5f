import { ToolError } from '../../../../kernel/error.ts'
import type { Splice } from '../../../text/edit/splice-text.ts'
import { isComponent } from '../../callers/required/script-requests.ts'
import type { CodeParts } from '../../code-parts.ts'
import { deadlineIn } from '../../servers/deadline.ts'
import { stagedTexts } from '../../servers/staged-texts.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { FileEdit, Refactoring, RefactorQuestion } from '../../types.ts'
import { demandSeen } from '../demand-seen.ts'
import { requiredUses } from '../required-uses.ts'
import { sourcesOf, stretchOf, type Sources } from '../source.ts'
import type { Use } from '../remove/uses-of.ts'
import { touchable } from '../touchable.ts'
import { checkedName } from './checked-name.ts'
import { demandFree, usesAt } from './demand-free.ts'
import { followedRename } from './followed-rename.ts'
import { demandOurs, unknownBases } from './foreign-bases.ts'
import { overridingFamily } from './overriding-family.ts'
import { renamedPlace, type DeclaredAt, type RenamedPlace } from './renamed-place.ts'
import { withShorthands } from './shorthands.ts'
import { stillWritten } from './still-written.ts'
import { unfollowed } from './unfollowed.ts'

/** Another name for a symbol wherever it is used, as its language server says. */
export async function rename(parts: CodeParts, question: RefactorQuestion): Promise<Refactoring> {
  const { to: name = '' } = question
  demandSeen(parts)
  const deadline = deadlineIn(question.deadlineMs, question.signal)
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
  const { changes } = asked
  const required = await requiredUses(parts, sources, place, question)
  demandFollowed(
    place,
    changes,
    required.filter(({ path }) => !isComponent(path)),
  )
  const edits = [...changes].map(([path, splices]): FileEdit => ({ kind: 'change', path, splices }))
  await demandOurs(parts, sources, { ...asked, old: place.old, name, deadline })
  await demandFree(parts, { ...asked, edits, sources, place, name, deadline })
  return {
    target: { name: place.name, path: place.path, line: place.position.line + 1 },
    edits,
    basis: { by: 'server', server: asked.server },
    warnings: [
      ...(await stillWritten(changes, sources, place.old)),
      ...unfollowed(place.old, required),
      ...unknownBases(asked.family, place.old),
    ],
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

/** No server follows `require`, or what was built to its source: what is written there would go on asking for the old name. */
function demandFollowed(
  { name, path }: RenamedPlace,
  changes: ReadonlyMap<string, readonly Splice[]>,
  uses: readonly Use[],
): void {
  const left = uses.filter(use => !changes.get(use.path)?.some(({ start }) => start === use.offset))
  if (left.length === 0) return
  const places = [...new Set(left.map(each => `${each.path}:${each.line}`))]
  throw new ToolError(
    'conflict',
    `'${name}' is also written where ${path} is asked for by require or as a built package, which is not followed: ${listed(places)}`,
    {
      hint: 'Nothing was changed. Use import there, or rename by text',
      details: { references: left.slice(0, 200).map(each => ({ path: each.path, line: each.line, text: each.text })) },
    },
  )
}

const SHOWN = 20

const listed = (places: readonly string[]): string =>
  [...places.slice(0, SHOWN), ...(places.length > SHOWN ? [`${places.length - SHOWN} more`] : [])].join(', ')

const notThere = (path: string, old: string): ToolError =>
  new ToolError('conflict', `${path} does not have '${old}' where the language server sees it`, {
    hint: 'It may be in an encoding that the server does not read: convert it first, or edit it by its text',
  })
