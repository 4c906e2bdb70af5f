import { join } from 'node:path'
import { openRepositoryIndex } from '../index/repository-index.ts'
import { openTree } from '../index/tree/open-tree.ts'
import type { Root } from '../workspace/root.ts'
import { indexPart } from './index-part.ts'
import type { PartRules, ResidentPart } from './part.ts'

export interface PartContext {
  readonly root: Root
  /** The workspace's own folder in the state directory. */
  readonly state: string
  readonly rules: PartRules
}

/** Opens what the process holds of its workspace; all of it is made in the background. */
export function openParts({ root, state, rules }: PartContext): readonly ResidentPart[] {
  const tree = openTree(root)
  const facts = openRepositoryIndex({
    tree,
    directory: root.path,
    cacheDirectory: join(state, 'index'),
    leaveOut: rules.isForeign,
  })
  return [indexPart(facts), { answers: {}, close: () => tree.close() }]
}
