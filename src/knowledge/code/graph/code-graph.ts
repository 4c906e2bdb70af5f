/** Labels of nodes, as queries write them. */
export const LABELS = [
  'File',
  'Module',
  'Function',
  'Method',
  'Class',
  'Interface',
  'Type',
  'Variable',
  'Test',
] as const

export type Label = (typeof LABELS)[number]

export const RELATIONS = [
  'DEFINES',
  'CONTAINS',
  'IMPORTS',
  'EXPORTS',
  'CALLS',
  'EXTENDS',
  'IMPLEMENTS',
  'USES',
  'TESTS',
] as const

export type Relation = (typeof RELATIONS)[number]

export interface GraphNode {
  /** The path of a file; for a symbol, its path and qualified name. */
  readonly id: string
  readonly label: Label
  readonly name: string
  readonly path: string
  readonly lines: readonly [from: number, to: number]
  readonly signature: string
  readonly language: string
  readonly exported: boolean
}

export interface GraphEdge {
  readonly relation: Relation
  readonly from: GraphNode
  readonly to: GraphNode
  /** Line of the reference; 0 if it has none. */
  readonly line: number
  /** The name under which something is exported or imported. */
  readonly name: string
  /** False for a call that may reach this method by overriding, in either direction. */
  readonly direct: boolean
}

export interface CodeGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}
