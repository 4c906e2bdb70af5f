import { languageAt } from '../../../languages/registry.ts'
import type { Owner } from '../../../languages/file-model/usage.ts'
import type { Position } from '../servers/lsp-schemas.ts'
import type { FileQueries } from './file-queries.ts'

/** A function in the call graph, or the top-level code of a file. */
export interface CallNode {
  readonly key: string
  readonly name: string
  readonly path: string
  /** Positions of its name, for reference requests; empty for the code of a file, which has no callers. */
  readonly positions: readonly Position[]
  /** It is a class, called by constructing an object. */
  readonly isClass?: boolean
  /** No server can be asked for its callers. */
  readonly isUnserved?: true
}

/** A call of a function. */
export interface Use {
  readonly by: CallNode
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Position on the line, if known. */
  readonly position?: Position
}

/** Reports whether both have the same position, or the same line if one position is unknown. */
export const isSameUse = (one: Use, other: Use): boolean =>
  one.path === other.path &&
  one.line === other.line &&
  (!one.position || !other.position || one.position.character === other.position.character)

export interface PossibleUse extends Use {
  readonly why: string
}

/** The call sites of one function. */
export interface FoundUses {
  readonly calls: readonly Use[]
  readonly possible: readonly PossibleUse[]
}

export const moduleNode = (path: string): CallNode => ({
  key: `${path} module`,
  name: '<module>',
  path,
  positions: [],
})

/** A function of a file that no server reads. */
export const unservedNode = (path: string, name: string): CallNode =>
  name === '<module>' ? moduleNode(path) : { key: `${path} ${name}`, name, path, positions: [], isUnserved: true }

/** The function or file that contains a call site. */
export function ownerNode(path: string, by: Owner | undefined, looks: FileQueries): CallNode {
  if (!by) return moduleNode(path)
  const { name, nameAt, isClass } = by
  // The body of a class may run when the class is declared, not when an object is constructed.
  const isCalled = !isClass || !languageAt(path).runsClassBodies
  const positions = isCalled ? [looks.source(path).positionOf(nameAt)] : []
  return { key: nodeKey(path, nameAt), name, path, positions, isClass }
}

export const nodeKey = (path: string, nameAt: number): string => `${path} ${nameAt}`
