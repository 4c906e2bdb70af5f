import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import { rangeKey, type Location } from '../../servers/lsp-words.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { FileEdit } from '../../types.ts'
import { importersAround } from '../importers-around.ts'
import { editedTexts, newFaults } from '../new-faults.ts'
import { sourceOf, type Sources } from '../../source.ts'
import { wordOf } from '../../../model/syntax/word-of.ts'
import { held, taken } from './refused-name.ts'
import type { DeclaredAt } from '../occurrences/target.ts'
import type { RenamedPlace } from './renamed-place.ts'

export interface RenameTried {
  readonly edits: readonly FileEdit[]
  readonly changes: ReadonlyMap<string, readonly Splice[]>
  /** Every place that the name was used at. */
  readonly before: readonly Location[]
  readonly pathOf: (uri: string) => string | undefined
  readonly sources: Sources
  readonly place: RenamedPlace
  /** Where all that is renamed is declared. */
  readonly places: readonly DeclaredAt[]
  readonly name: string
  readonly deadline: Deadline
  /** Also files are judged that change nothing, but have the type of what a member is renamed of. */
  readonly isWhole: boolean
}

/**
 * Shows the renamed text to the server and asks for the uses again: where there are fewer, another symbol of the new name
 * stands in the way, and where there are more, uses of another one would come to mean this one. Nor may anything be wrong
 * that was not before: two of one name beside each other.
 */
export async function demandFree(parts: CodeParts, tried: RenameTried): Promise<void> {
  const { edits, changes, sources, place, name, deadline, pathOf } = tried
  const texts = editedTexts(parts, sources, edits)
  const places = tried.places.map(({ path, position }) => {
    const before = sources(path)
    const renamed = sourceOf(path, texts.texts.get(path) ?? before.text)
    return { path, position: renamed.positionOf(movedTo(before.offsetOf(position), changes.get(path) ?? [])) }
  })
  const after = await parts.servers.ask(place.path, texts, deadline, server => usesAt(server, places))
  const [was, is] = [counted(tried.before, pathOf), counted(after, pathOf)]
  const differing = [...new Set([...was.keys(), ...is.keys()])].filter(path => was.get(path) !== is.get(path))
  if (differing.length > 0) {
    const isWritten = [...changes.keys(), ...differing].some(path => isIn(path))
    if (isWritten) throw taken(name, `uses of '${place.old}' would be mixed up in`, differing)
    throw held(place.old, name, `not every use is followed, such as one in a macro or a text, in`, differing)
  }
  const same = (words: string) => words.replaceAll(wordOf(place.old, 'gu'), name)
  const isTyped = tried.isWhole && place.scope === 'member'
  const also = isTyped ? await importersAround(parts, place.path, { reach: 'all', deadline }) : []
  const faults = await newFaults(parts, sources, edits, { path: place.path, deadline, also, same })
  const [first] = faults
  if (!first) return
  const why = `${first.path}:${first.line}: ${first.message}`
  const isTaken = DOUBLE.test(first.message) || (wordOf(name).test(first.message) && isIn(first.path))
  throw isTaken ? taken(name, why, []) : held(place.old, name, why, [])

  function isIn(path: string): boolean {
    return parts.mayRead(path) && wordOf(name).test(sources(path).text)
  }
}

/** Every place where something is used that is declared at one of these. */
export async function usesAt(server: AskedServer, places: readonly DeclaredAt[]): Promise<readonly Location[]> {
  const found = new Map<string, Location>()
  for (const { path, position } of places)
    for (const use of await server.references(path, position, { declarations: true }))
      found.set(`${use.uri} ${rangeKey(use.range)}`, use)
  return [...found.values()]
}

/** How compilers say that two things have one name. */
const DOUBLE = /duplicate|redeclare|redefin|obscured|already (?:been )?(?:declared|defined|has)|conflict/i

/** Where a name comes to stand when the names before it change their length. */
function movedTo(offset: number, splices: readonly Splice[]): number {
  const shift = splices
    .filter(({ end }) => end <= offset)
    .reduce((sum, { old, new: now }) => sum + now.length - old.length, 0)
  return offset + shift
}

function counted(
  places: readonly Location[],
  pathOf: (uri: string) => string | undefined,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { uri } of places) {
    const path = pathOf(uri) ?? uri
    counts.set(path, (counts.get(path) ?? 0) + 1)
  }
  return counts
}
