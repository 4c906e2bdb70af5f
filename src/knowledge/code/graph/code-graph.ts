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
  /** The path of a file; for what stands in it, its path and its name with what it stands in. */
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
  /** Where it is written; 0 where that is nowhere in particular. */
  readonly line: number
  /** The name under which something is exported or imported. */
  readonly name: string
  /** False for a call that may mean this method because it overrides the one that is called, or the other way about. */
  readonly direct: boolean
}

export interface CodeGraph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly GraphEdge[]
}
