import type { Splice } from '../../../../machine/text/edit/splice-text.ts'
import type { ClassAt } from '../../callers/classes/class-tree.ts'
import type { CodeParts } from '../../code-parts.ts'
import type { Deadline } from '../../servers/deadline.ts'
import type { Sources } from '../../source.ts'
import { inheritedOutside } from './inherited-outside.ts'
import type { OverridingFamily } from './overriding-family.ts'
import { held, taken } from './refused-name.ts'

interface OursTried {
  readonly family: OverridingFamily
  readonly changes: ReadonlyMap<string, readonly Splice[]>
  readonly old: string
  readonly name: string
  readonly deadline: Deadline
}

/** Refuses a member that overrides one from outside of the workspace, by its old name or by its new one: `conflict`. */
export async function demandOurs(
  parts: CodeParts,
  sources: Sources,
  { family: { open: classes }, changes, old, name, deadline }: OursTried,
): Promise<void> {
  const still = await inheritedOutside(parts, sources, { classes, name: old, changes, deadline })
  if (still.length > 0)
    throw held(old, name, `it overrides what these derive from, not in the workspace: ${listed(still)}`, [])
  const before = await inheritedOutside(parts, sources, { classes, name, changes: new Map(), deadline })
  if (before.length > 0) throw taken(name, `these inherit it from outside of the workspace: ${listed(before)}`, [])
}

const MOST = 10

function listed(classes: readonly ClassAt[]): string {
  const shown = classes
    .slice(0, MOST)
    .map(({ path, named }) => `${named.name} (${path}:${named.selection.start.line + 1})`)
  return [...shown, ...(classes.length > MOST ? [`${classes.length - MOST} more`] : [])].join(', ')
}
