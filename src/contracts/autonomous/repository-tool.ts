import { nets, z, type Claim } from '../tool.ts'
import type { Facts } from '../../kernel/claim.ts'

/** The one thing that a tool for the product's repository touches; without a connection nothing. */
export const repositoryClaims = (_input: unknown, facts: Facts): readonly Claim[] => {
  const origin = facts.repositoryOrigin?.()
  return origin === undefined ? [] : nets(origin)
}

/** Longer than the engine waits and searches, so that it can say how far it came. */
export const REPOSITORY_MS = 60_000

export const path = z.string().max(4_096)

export const limit = (usual: number) =>
  z.int().min(1).max(1_000).default(usual).describe(`How many at most; ${usual} unless given`)
