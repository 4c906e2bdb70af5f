import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { ClassAt } from '../../callers/classes/class-tree.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import { editedTexts } from '../new-faults.ts'
import { sourceOf, type Sources } from '../../source.ts'

export interface InheritedQuestion {
  readonly classes: readonly ClassAt[]
  readonly name: string
  /** What is changed before it is asked. */
  readonly changes: ReadonlyMap<string, readonly Splice[]>
  readonly deadline: Deadline
}

/**
 * Of classes of Python those that have a member of this name from a class outside of the workspace. The server is shown
 * a function behind each class that uses the member of an object, and is asked what it means there.
 */
export async function inheritedOutside(
  parts: CodeParts,
  sources: Sources,
  { classes, name, changes, deadline }: InheritedQuestion,
): Promise<readonly ClassAt[]> {
  const [first] = classes
  if (!first) return []
  const probes = classes.toSorted(innerFirst).map((one, at) => ({ one, mark: `toolwright_object_${at}` }))
  const splices = new Map(changes)
  for (const { one, mark } of probes)
    splices.set(one.path, [...(splices.get(one.path) ?? []), probeBehind(sources, one, mark, name)])
  const edits = [...splices].map(([path, some]) => ({ kind: 'change' as const, path, splices: some }))
  const edited = editedTexts(parts, sources, edits)
  return parts.servers.ask(first.path, edited, deadline, async server => {
    const found: ClassAt[] = []
    for (const { one, mark } of probes) {
      const shown = sourceOf(one.path, edited.texts.get(one.path) ?? '')
      const use = `${mark}.`
      const places = await server.definition(one.path, shown.positionOf(shown.text.indexOf(use) + use.length))
      if (places.some(({ uri }) => server.pathOf(uri) === undefined)) found.push(one)
    }
    return found
  })
}

function probeBehind(sources: Sources, { path, named }: ClassAt, mark: string, name: string): Splice {
  const source = sources(path)
  const { text, eol } = source
  const from = source.offsetOf(named.range.end)
  const rest = text.slice(from).search(/[\r\n]/u)
  const at = rest < 0 ? text.length : from + rest
  const indent = /^\s*/u.exec(text.slice(source.offsetOf({ ...named.selection.start, character: 0 })))?.[0] ?? ''
  return source.splice(at, at, `${eol}${indent}def _(${mark}: ${named.plain}): ${mark}.${name}`)
}

/** What is put behind an inner class comes before what is put behind the one around it. */
const innerFirst = (one: ClassAt, other: ClassAt): number =>
  other.named.selection.start.character - one.named.selection.start.character
