import { creates, linkWrites, writes, type Claim } from '../../kernel/claim.ts'
import { isRepositoryPath } from './path.ts'
import type { Staging } from './staging.ts'

/** Returns the effects of landing these changes as claims. */
export const stagedClaims = (staging: Staging): readonly Claim[] =>
  staging
    .entries()
    .flatMap(([path, { base, state }]): readonly Claim[] => {
      // A command's changes to the repository were judged with the command. A directory is only created for its contents.
      if (isRepositoryPath(path) || state.type === 'directory') return []
      if (state.type === 'absent') return linkWrites(path)
      return base.type === 'absent' || base.type === 'directory' ? creates(path) : writes(path)
    })
    .map(claim => ({ ...claim, staged: true as const }))
