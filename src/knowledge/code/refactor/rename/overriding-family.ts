import { languageAt, titleOf } from '../../../../languages/registry.ts'
import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import { classTree, type ClassAt } from '../../callers/classes/class-tree.ts'
import { isPlainBase } from '../../callers/classes/overridden-methods.ts'
import { relatedMembers } from '../../callers/classes/related-members.ts'
import { fileQueries } from '../../callers/file-queries.ts'
import { sourceOf } from '../../source.ts'
import { editsOf, joinChanges, listNames, type Changes } from '../changes.ts'
import { editedTexts } from '../new-errors.ts'
import type { DeclaredAt, NamedPlace } from '../occurrences/occurrence.ts'
import type { RefactorParts, ServedParts } from '../refactor-parts.ts'
import { oldNameConflict, newNameConflict } from './refused-name.ts'

/** The members that have to keep one name with a Python member: its server renames only the one in question. */
interface OverridingFamily {
  /** Its own declaration, and the members of other classes that override it or that it overrides. */
  readonly places: readonly DeclaredAt[]
  /** Classes with bases outside of the workspace. */
  readonly open: readonly ClassAt[]
  /** Those of them whose base may call a member by a name that it computes: `do_` and the command. */
  readonly computing: readonly ClassAt[]
  /** Classes with unresolved bases. */
  readonly unknown: readonly ClassAt[]
}

const ALONE: OverridingFamily = { places: [], open: [], computing: [], unknown: [] }

/** Built-in types, which know no other names than Python itself. */
const BUILT_IN = /^(dict|list|set|frozenset|tuple|int|float|complex|str|bytes|bytearray|type|\w+(Error|Warning))$/

/**
 * Throws `conflict` if a class of the family uses the new name for something else, or the language knows the member by
 * its name.
 */
export async function overridingFamily(
  serverParts: ServedParts,
  { path, position, old }: NamedPlace,
  name: string,
): Promise<OverridingFamily> {
  const family = await familyAt(serverParts, { path, position, old })
  if (!family) return ALONE
  if (/^__\w+__$/u.test(old))
    throw oldNameConflict(old, name, `${titleOf(languageAt(path))} itself asks for it by this name`)
  // A private name belongs to one class alone.
  if (old.startsWith('__')) return ALONE
  const { tree, members, classes } = family
  for (const one of classes) {
    const other = await tree.member(one, name)
    if (!other) continue
    const where = `${one.path}:${other.selection.start.line + 1}`
    throw newNameConflict(name, `${other.name} (${where}) would override or be overridden`)
  }
  const bases = await Promise.all(classes.map(one => tree.bases(one)))
  return {
    places: members.map(member => ({ path: member.path, position: member.named.selection.start })),
    open: classes.filter((_, at) => (bases[at]?.outside.length ?? 0) > 0),
    computing: classes.filter((_, at) => bases[at]?.outside.some(mayCompute)),
    unknown: classes.filter((_, at) => bases[at]?.isUnknown),
  }
}

/** The classes of a Python member's family whose base outside of the workspace may call it by a computed name. */
export async function computingClasses(serverParts: ServedParts, place: MemberPlace): Promise<readonly ClassAt[]> {
  const family = place.old.startsWith('__') ? undefined : await familyAt(serverParts, place)
  const bases = await Promise.all(family?.classes.map(one => family.tree.bases(one)) ?? [])
  return family?.classes.filter((_, at) => bases[at]?.outside.some(mayCompute)) ?? []
}

type MemberPlace = Pick<NamedPlace, 'path' | 'position' | 'old'>

const mayCompute = (base: string): boolean => !isPlainBase(base) && !BUILT_IN.test(base)

async function familyAt({ server, mayRead, sources }: ServedParts, { path, position, old }: MemberPlace) {
  if (!languageAt(path).readsClasses) return undefined
  const looks = fileQueries(server, file => (mayRead(file) ? sources(file).text : undefined))
  const tree = classTree({ server, looks, mayRead })
  const ownClass = await tree.classOf(path, position)
  if (!ownClass || !(await tree.member(ownClass, old))) return undefined
  return { tree, ...(await relatedMembers(tree, ownClass, old)) }
}

/** Refuses a member that overrides one from outside of the workspace, by its old or new name: `conflict`. */
export async function ensureOurs(
  parts: RefactorParts,
  { open }: OverridingFamily,
  changes: Changes,
  old: string,
  name: string,
): Promise<void> {
  const stillInheriting = await inheritedOutside(parts, open, old, changes)
  if (stillInheriting.length > 0)
    throw oldNameConflict(
      old,
      name,
      `it overrides what these derive from, not in the workspace: ${listNames(stillInheriting.map(describeClass))}`,
    )
  const before = await inheritedOutside(parts, open, name, new Map())
  if (before.length > 0)
    throw newNameConflict(
      name,
      `these inherit it from outside of the workspace: ${listNames(before.map(describeClass))}`,
    )
}

const describeClass = ({ path, named: { name, selection } }: ClassAt): string =>
  `${name} (${path}:${selection.start.line + 1})`

/**
 * The Python classes that inherit a member of this name from outside of the workspace after the change. Shows the
 * server a function after each class that uses the member, and asks for its definition.
 */
async function inheritedOutside(
  parts: RefactorParts,
  classes: readonly ClassAt[],
  name: string,
  changes: Changes,
): Promise<readonly ClassAt[]> {
  const [first] = classes
  if (!first) return []
  const probes = classes.toSorted(innerFirst).map((one, at) => ({ one, mark: `toolwright_object_${at}` }))
  const shownChanges = probes.reduce<Changes>(
    (all, { one, mark }) => joinChanges(all, new Map([[one.path, [probeBehind(parts, one, mark, name)]]])),
    changes,
  )
  const editResult = editedTexts(parts, editsOf(shownChanges))
  return parts.ask(
    first.path,
    async ({ server }) => {
      const inheritors: ClassAt[] = []
      for (const { one, mark } of probes) {
        const source = sourceOf(one.path, editResult.texts.get(one.path) ?? '')
        const use = `${mark}.`
        const places = await server.definition(one.path, source.positionOf(source.text.indexOf(use) + use.length))
        if (places.some(({ uri }) => server.pathOf(uri) === undefined)) inheritors.push(one)
      }
      return inheritors
    },
    editResult,
  )
}

function probeBehind({ sources }: RefactorParts, { path, named }: ClassAt, mark: string, name: string): Splice {
  const source = sources(path)
  const { text, eol } = source
  const from = source.offsetOf(named.range.end)
  const rest = text.slice(from).search(/[\r\n]/u)
  const at = rest < 0 ? text.length : from + rest
  const indent = /^\s*/u.exec(text.slice(source.offsetOf({ ...named.selection.start, character: 0 })))?.[0] ?? ''
  return source.splice(at, at, `${eol}${indent}def _(${mark}: ${named.plain}): ${mark}.${name}`)
}

/** Text after an inner class comes before text after the outer one. */
const innerFirst = (one: ClassAt, other: ClassAt): number =>
  other.named.selection.start.character - one.named.selection.start.character
