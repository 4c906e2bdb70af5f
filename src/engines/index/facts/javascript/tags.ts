import type { Program } from 'oxc-parser'
import { componentTags } from './component-tags.ts'
import { imported } from './imported.ts'
import { kindTags } from './kind-tags.ts'
import type { TagContext } from './tag-visitor.ts'
import type { Visitor } from './visit.ts'

/** Finds framework and kind from the code. */
export function tagVisitors(program: Program): {
  readonly visitors: readonly Visitor[]
  tags(context: Omit<TagContext, 'kinds'>): readonly string[]
} {
  const uses = imported(program)
  const kinds = kindTags(program, uses)
  const components = componentTags(uses)
  return {
    visitors: [kinds, components],
    tags: context => [...kinds.kinds(), ...components.tags({ ...context, kinds: kinds.kinds() })],
  }
}
