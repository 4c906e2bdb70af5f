import { readsRepository, z, type Claim } from '../tool.ts'
import type { Facts } from '../../kernel/claim.ts'

/** Claims reading the product's repository; nothing without a connection. */
export const repositoryClaims = ({ product }: { product?: string | undefined }, facts: Facts): readonly Claim[] => {
  const origin = facts.repositoryOrigin?.(product)
  return origin === undefined ? [] : readsRepository(origin)
}

/** Longer than the engine's own limits, so that the engine can report its progress. */
export const REPOSITORY_MS = 60_000

export const path = z.string().max(4_096)

export const product = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('The product whose repository is read; required only if several are configured')

export const limit = (usual: number) =>
  z.int().min(1).max(1_000).default(usual).describe(`The most entries to return; default: ${usual}`)

/** A count of entries, so that a caller with only the list of `search_code` can compute it. */
export const cursor = z
  .string()
  .regex(/^\d{1,9}$/, 'a cursor is the nextCursor of an answer')
  .optional()
  .describe('nextCursor of the previous answer: the number of entries to skip')

/** Returns the start and the end of a page. */
export const pageOf = (limitOfPage: number, from = '0'): { readonly skip: number; readonly end: number } => {
  const skip = Number(from)
  return { skip, end: skip + limitOfPage }
}
