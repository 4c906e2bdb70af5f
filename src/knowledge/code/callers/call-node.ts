import type { Owner } from '../../model/usage/usage.ts'
import { languageOf } from '../../model/languages.ts'
import type { Position } from '../servers/lsp-schemas.ts'
import type { FileQueries } from './file-queries.ts'

/** A function in the graph of calls, or the code of a file outside of any. */
export interface CallNode {
  readonly key: string
  readonly name: string
  readonly path: string
  /** Where its name is written, for questions about references; none for the code of a file, which nobody calls. */
  readonly positions: readonly Position[]
  /** It is a class, which is called by making one. */
  readonly isClass?: boolean
  /** Nobody can be asked who calls it. */
  readonly isUnserved?: true
}

/** A call of a function. */
export interface Use {
  readonly by: CallNode
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Where on the line, if that is known. */
  readonly position?: Position
}

/** Reports whether both are known by the same place; by the same line where no more is known of one. */
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

/** Whoever holds a call site. */
export function ownerNode(path: string, by: Owner | undefined, looks: FileQueries): CallNode {
  if (!by) return moduleNode(path)
  const { name, nameAt, isClass } = by
  // The body of a class of Python runs where the class is declared, and not when one is made.
  const isCalled = !isClass || languageOf(path) !== 'python'
  const positions = isCalled ? [looks.source(path).positionOf(nameAt)] : []
  return { key: nodeKey(path, nameAt), name, path, positions, isClass }
}

export const nodeKey = (path: string, nameAt: number): string => `${path} ${nameAt}`
