import type { Operation } from '../../../model/usage/operations.ts'
import type { Use } from '../call-node.ts'

/** A place where Python may call a method implicitly. */
export interface PlacedOperation extends Use {
  readonly operation: Operation
}
