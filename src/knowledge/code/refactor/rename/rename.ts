import type { Refactoring, RefactorQuestion } from '../../types.ts'
import { ensureTouchable, editsOf, isChangedIn, joinChanges } from '../changes.ts'
import { declarationDoubts } from '../occurrences/declaration-doubts.ts'
import { occurrencesOf } from '../occurrences/occurrences.ts'
import { settle } from '../occurrences/settle.ts'
import { targetOf } from '../occurrences/occurrence.ts'
import { implicitOccurrences } from '../occurrences/implicit-occurrences.ts'
import { ensureSeen, type RefactorParts } from '../refactor-parts.ts'
import { isAmong, requiredUses } from '../uses-of.ts'
import { checkNewName, usesByFile } from './check-new-name.ts'
import { ensureOurs, overridingFamily } from './overriding-family.ts'
import { renamedChanges } from './renamed-changes.ts'
import { renamedPlace } from './renamed-place.ts'
import { languageAt } from '../../../../languages/registry.ts'
import { ToolError } from '../../../../kernel/error.ts'

/** Renames a symbol everywhere, as its language server finds it. */
export async function rename(parts: RefactorParts, question: RefactorQuestion): Promise<Refactoring> {
  const { to: name = '', strict } = question
  ensureSeen(parts)
  const place = await renamedPlace(parts, question)
  const { path, old } = place
  checkedName(path, old, name)
  const plan = await parts.ask(path, async served => {
    const family = await overridingFamily(served, place, name)
    const places = [...place.places, ...family.places]
    const changes = await renamedChanges(served, { ...place, places }, name)
    return { server: served.server.name, family, places, changes, before: await usesByFile(served, places) }
  })
  const { family, before } = plan
  const target = targetOf(parts, { ...place, places: plan.places })
  const isUnfollowed = isAmong(await requiredUses(parts, place))
  const isChanged = isChangedIn(plan.changes)
  const textOccurrences = await occurrencesOf(parts, target, { isChanged, isUnfollowed, to: name })
  const doubts = await declarationDoubts(parts, target, family, { found: textOccurrences, to: name })
  const all = [...(await implicitOccurrences(parts, target)), ...doubts, ...textOccurrences]
  await ensureOurs(parts, family, plan.changes, old, name)
  const { included, occurrences } = settle(parts, place.name, all, question)
  await ensureTouchable(parts, included.keys())
  const changes = joinChanges(plan.changes, included)
  await checkNewName(parts, target, { changes, before, name, isWhole: strict !== false })
  return {
    target: { name: place.name, path, line: place.position.line + 1 },
    edits: editsOf(changes),
    basis: { by: 'server', server: plan.server },
    warnings: [],
    occurrences,
  }
}

/** Refuses a text that cannot be a name in the language of the file. */
function checkedName(path: string, old: string, name: string): void {
  const isPrivate = old.startsWith('#')
  const plain = isPrivate ? name.replace(/^#/, '') : name
  const isWord = /^[\p{ID_Start}_$][\p{ID_Continue}$\u200c\u200d]*$/u.test(plain) && isPrivate === name.startsWith('#')
  const isTaken = languageAt(path).reserved?.split(' ').includes(plain) ?? false
  if (!isWord || isTaken)
    throw new ToolError(
      'invalid_input',
      `'${name}' is no name${isTaken ? ': the language has the word for itself' : ''}`,
      {
        hint: isPrivate ? 'A private name begins with #' : 'Give a name alone, without its class and without dots',
      },
    )
  if (name === old) throw new ToolError('invalid_input', `It is named '${name}' already`)
}
