import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { wordOf } from '../../../../languages/file-model/word-of.ts'
import { rangeKey, type Location } from '../../servers/lsp-schemas.ts'
import { sourceOf } from '../../source.ts'
import { editsOf, type Changes } from '../changes.ts'
import { importersAround } from '../importers-around.ts'
import { editedTexts, newErrors } from '../new-errors.ts'
import type { DeclaredAt, Target } from '../occurrences/occurrence.ts'
import type { RefactorParts, ServedParts } from '../refactor-parts.ts'
import { oldNameConflict, newNameConflict } from './refused-name.ts'

interface RenameTried {
  readonly changes: Changes
  /** The number of uses per file before. */
  readonly before: UsesByFile
  readonly name: string
  /** Also checks unchanged files that use the type of a renamed member. */
  readonly isWhole: boolean
}

type UsesByFile = ReadonlyMap<string, number>

/**
 * Shows the renamed text to the server and asks for the uses again. Fewer uses mean that another symbol of the new name
 * is in the way; more mean that uses of another symbol would now refer to this one. Refuses new errors as well, such as
 * duplicate names.
 */
export async function checkNewName(
  parts: RefactorParts,
  { path, old, scope, places }: Target,
  { changes, before, name, isWhole }: RenameTried,
): Promise<void> {
  const { sources } = parts
  const edits = editsOf(changes)
  const editResult = editedTexts(parts, edits)
  const newPlaces = places.map(({ path: file, position }) => {
    const newSource = sourceOf(file, editResult.texts.get(file) ?? sources(file).text)
    const offset = movedTo(sources(file).offsetOf(position), changes.get(file) ?? [])
    return { path: file, position: newSource.positionOf(offset) }
  })
  const after = await parts.ask(path, served => usesByFile(served, newPlaces), editResult)
  const differing = [...new Set([...before.keys(), ...after.keys()])].filter(
    file => before.get(file) !== after.get(file),
  )
  if (differing.length > 0)
    throw [...changes.keys(), ...differing].some(isIn)
      ? newNameConflict(name, `uses of '${old}' would be mixed up in`, differing)
      : oldNameConflict(old, name, `not every use is followed, such as one in a macro or a text, in`, differing)
  const same = (words: string) => words.replaceAll(wordOf(old, 'gu'), name)
  const also = isWhole && scope === 'member' ? await importersAround(parts, path, 'all') : []
  const [first] = await newErrors(parts, edits, { path, also, same })
  if (!first) return
  const why = `${first.path}:${first.line}: ${first.message}`
  const isTaken = DOUBLE.test(first.message) || (wordOf(name).test(first.message) && isIn(first.path))
  throw isTaken ? newNameConflict(name, why) : oldNameConflict(old, name, why)

  function isIn(file: string): boolean {
    return parts.mayRead(file) && wordOf(name).test(sources(file).text)
  }
}

/** The number of uses per file of the symbols declared at these places. */
export async function usesByFile({ server }: ServedParts, places: readonly DeclaredAt[]): Promise<UsesByFile> {
  const usesByPlace = new Map<string, Location>()
  for (const { path, position } of places)
    for (const use of await server.references(path, position, { declarations: true }))
      usesByPlace.set(`${use.uri} ${rangeKey(use.range)}`, use)
  const files = Map.groupBy(usesByPlace.values(), ({ uri }) => server.pathOf(uri) ?? uri)
  return new Map([...files].map(([file, uses]) => [file, uses.length]))
}

/** Compiler messages about duplicate names. */
const DOUBLE = /duplicate|redeclare|redefin|obscured|already (?:been )?(?:declared|defined|has)|conflict/i

/** The offset of a name after the names before it changed their length. */
const movedTo = (offset: number, splices: readonly Splice[]): number =>
  splices.filter(({ end }) => end <= offset).reduce((sum, { old, new: now }) => sum + now.length - old.length, offset)
