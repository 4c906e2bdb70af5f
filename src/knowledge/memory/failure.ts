import { ToolError, type Code } from '../../kernel/error.ts'
import type { FixQuery } from './types.ts'

/** How a store of fixes can fail, apart from bad input. */
export type MemoryFailure = 'store_unreachable' | 'collection_missing' | 'embedding_failed' | 'no_results'

/** Each failure has a code of its own, so that a tool's table of codes can tell them apart. */
const CODES: Readonly<Record<MemoryFailure, Code>> = {
  store_unreachable: 'unavailable',
  collection_missing: 'not_found',
  embedding_failed: 'io',
  no_results: 'no_match',
}

export const memoryError = (failure: MemoryFailure, message: string, hint: string, cause?: unknown): ToolError =>
  new ToolError(CODES[failure], message, { hint, details: { memory: failure }, ...(cause !== undefined && { cause }) })

export const unknownFix = (id: string): ToolError =>
  new ToolError('not_found', `There is no fix '${id}'`, {
    hint: 'Search for it by the words of its error',
    details: { id },
  })

export const takenId = (id: string): ToolError =>
  new ToolError('exists', `There is a fix '${id}' already`, { hint: 'Change that one, or leave the id out' })

export const changedByOthers = (id: string): ToolError =>
  new ToolError('conflict', `The fix '${id}' is being changed by others`, { hint: 'Try again' })

export const nothingFound = ({ filter }: Pick<FixQuery, 'filter'>): ToolError =>
  memoryError(
    'no_results',
    'No past fix was found',
    Object.values(filter ?? {}).some(value => value !== undefined)
      ? 'Search with fewer filters, or with a lower minimum confidence'
      : 'Record one when the error is fixed',
  )

/** Throws if the time of a search is over. */
export function ensureInTime(dueAt: number | undefined): void {
  if (dueAt === undefined || performance.now() < dueAt) return
  throw new ToolError('timeout', 'The search took too long', { hint: 'Search again with more time' })
}

/** Returns which failure of the memory an error is; undefined for any other. */
export function memoryFailure(error: unknown): MemoryFailure | undefined {
  const failure = error instanceof ToolError ? error.details?.['memory'] : undefined
  return typeof failure === 'string' && isFailure(failure) ? failure : undefined
}

/** For `catch`: reading finds nothing in a collection that the first fix will make. */
export function ignoreMissing(error: unknown): undefined {
  if (memoryFailure(error) !== 'collection_missing') throw error
}

const isFailure = (name: string): name is MemoryFailure => Object.hasOwn(CODES, name)
