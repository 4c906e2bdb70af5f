import { LABELS, type Label, type Relation } from '../code-graph.ts'

/** Properties of every node. */
export const NODE_COLUMNS = ['id', 'name', 'path', 'lines', 'signature', 'language', 'exported'] as const

/** Properties of every relation. */
export const RELATION_COLUMNS = ['line', 'name', 'direct'] as const

const SYMBOLS: readonly Label[] = LABELS.filter(label => label !== 'File')
const CODE: readonly Label[] = ['File', ...SYMBOLS]
const KINDS: readonly Label[] = ['Class', 'Interface', 'Type', 'Variable']

/** The labels that a relation can connect. */
const ENDS: Readonly<Record<Relation, readonly [readonly Label[], readonly Label[]]>> = {
  DEFINES: [['File'], SYMBOLS],
  CONTAINS: [SYMBOLS, LABELS],
  IMPORTS: [['File'], ['File', 'Module']],
  EXPORTS: [['File'], SYMBOLS],
  CALLS: [CODE, SYMBOLS],
  EXTENDS: [KINDS, KINDS],
  IMPLEMENTS: [KINDS, KINDS],
  USES: [CODE, SYMBOLS],
  TESTS: [['Test'], SYMBOLS],
}

/** The statements that create an empty graph. */
export function schemaStatements(): readonly string[] {
  const columns =
    'id STRING PRIMARY KEY, name STRING, path STRING, lines INT64[], signature STRING, language STRING, exported BOOL'
  return [
    ...LABELS.map(label => `CREATE NODE TABLE ${label}(${columns})`),
    ...Object.entries(ENDS).map(([relation, [from, to]]) => {
      const pairs = from.flatMap(one => to.map(other => `FROM ${one} TO ${other}`))
      return `CREATE REL TABLE ${relation}(${pairs.join(', ')}, line INT64, name STRING, direct BOOL)`
    }),
  ]
}
