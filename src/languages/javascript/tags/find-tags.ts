import type { Program } from 'oxc-parser'
import type { Watcher } from '../reading.ts'
import { componentTags, type TagContext } from './component-tags.ts'
import { programImports } from './imported.ts'
import { kindTags } from './kind-tags.ts'

/** Finds framework and kind from the code while it is walked. */
interface TagFinder {
  readonly watchers: readonly Watcher[]
  tags(context: Omit<TagContext, 'kinds'>): readonly string[]
}

export function findTags(program: Program, path: string): TagFinder {
  const uses = programImports(program)
  const kinds = kindTags(program, uses, path)
  const components = componentTags(uses)
  return {
    watchers: [kinds, components],
    tags: context => [...kinds.kinds, ...components.tags({ ...context, kinds: kinds.kinds })],
  }
}
