import { languageOf } from '../../../model/languages.ts'
import { classTree, type ClassAt } from '../../callers/classes/class-tree.ts'
import { relatedMembers } from '../../callers/classes/related-members.ts'
import { fileLooks } from '../../callers/file-looks.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Position } from '../../servers/lsp-words.ts'
import type { AskedServer } from '../../servers/types.ts'
import type { Sources } from '../../source.ts'
import { held, taken } from './refused-name.ts'
import type { DeclaredAt } from '../occurrences/target.ts'
import type { RenamedPlace } from './renamed-place.ts'

/** What has to keep one name with a member of a class of Python: its server renames the one that it is asked about alone. */
export interface OverridingFamily {
  /** Where the members of other classes are declared that override it, or that it overrides. */
  readonly places: readonly DeclaredAt[]
  /** Classes that also derive from some that are not in the workspace. */
  readonly open: readonly ClassAt[]
  /** Classes of which nobody can say all that they derive from. */
  readonly unknown: readonly ClassAt[]
}

const ALONE: OverridingFamily = { places: [], open: [], unknown: [] }

/** `conflict` where a class of the family has the new name for something else, or the language knows the member by its name. */
export async function overridingFamily(
  parts: CodeParts,
  server: AskedServer,
  sources: Sources,
  { path, position, also, old }: RenamedPlace,
  name: string,
): Promise<OverridingFamily> {
  if (languageOf(path) !== 'python') return ALONE
  const looks = fileLooks(server, file => (parts.mayRead(file) ? sources(file).text : undefined))
  const tree = classTree({ server, looks, mayRead: parts.mayRead })
  const own = await tree.classOf(path, position)
  if (!own || !(await tree.member(own, old))) return ALONE
  if (SPECIAL.test(old)) throw held(old, name, 'Python itself asks for it by this name', [])
  // A private name is that of one class alone.
  if (old.startsWith('__')) return ALONE
  const { members, classes } = await relatedMembers(tree, own, old)
  for (const one of classes) {
    const other = await tree.member(one, name)
    if (other)
      throw taken(
        name,
        `${other.name} (${one.path}:${other.selection.start.line + 1}) would override or be overridden`,
        [],
      )
  }
  const bases = await Promise.all(classes.map(one => tree.bases(one)))
  const isOwn = (at: Position) =>
    [position, ...also].some(({ line, character }) => line === at.line && character === at.character)
  return {
    places: members
      .map(member => ({ path: member.path, position: member.named.selection.start }))
      .filter(each => each.path !== path || !isOwn(each.position)),
    open: classes.filter((_, at) => (bases[at]?.outside.length ?? 0) > 0),
    unknown: classes.filter((_, at) => bases[at]?.isUnknown),
  }
}

const SPECIAL = /^__\w+__$/u
