import { componentTags, type TagContext } from './component-tags.ts'
import { imported } from './imported.ts'
import { kindTags } from './kind-tags.ts'
import type { Program, Visitor } from './syntax.ts'

/** Finds framework and kind from the code. */
export function tagVisitors(
  program: Program,
  text: string,
  path: string,
): {
  readonly visitors: readonly Visitor[]
  tags(context: Omit<TagContext, 'kinds'>): readonly string[]
} {
  const uses = imported(program, text)
  const kinds = kindTags(program, uses, path)
  const components = componentTags(uses, text)
  return {
    visitors: [kinds.visitor, components.visitor],
    tags: context => [...kinds.kinds(), ...components.tags({ ...context, kinds: kinds.kinds() })],
  }
}
