import { creates, linkWrites, writes, type Claim } from '../../kernel/claim.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import { createView } from './view.ts'

/** Returns the effects of landing these changes as claims. */
export function stagedClaims(root: Root, staging: Staging): readonly Claim[] {
  const disk = createView(root, createStaging())
  const isNew = (path: string) =>
    disk.look(path, { link: true }, ({ type }) => type === 'absent' || type === 'directory')
  return staging
    .entries()
    .flatMap(([path, { state }]): readonly Claim[] => {
      // A directory is only created for its contents.
      if (state.type === 'directory') return []
      if (state.type === 'absent') return linkWrites(path)
      return isNew(path) ? creates(path) : writes(path)
    })
    .map(claim => ({ ...claim, staged: true as const }))
}
