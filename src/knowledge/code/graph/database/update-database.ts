import { copyFileSync } from 'node:fs'
import type { GraphEdge, GraphNode } from '../code-graph.ts'
import type { GraphChange } from '../graph-change.ts'
import { closeResults, type Ladybug, type LadybugConnection } from './ladybug.ts'
import { NODE_COLUMNS } from './schema.ts'
import { madeDatabase, plainText } from './write-database.ts'

/** Copies a database file and applies changes to the copy; the original stays unchanged. */
export const updateDatabase = (ladybug: Ladybug, from: string, change: GraphChange, file: string): Promise<void> =>
  madeDatabase(
    ladybug,
    file,
    made => copyFileSync(from, made),
    async connection => {
      const run = runner(connection)
      for (const edge of change.removedEdges) {
        const { from: a, to: b, relation } = edge
        const relationPattern = `(:${a.label} {id: $from})-[r:${relation}]->(:${b.label} {id: $to})`
        await run(
          `MATCH ${relationPattern} WHERE r.line = $line AND r.name = $name AND r.direct = $direct DELETE r`,
          valuesOfEdge(edge),
        )
      }
      for (const { label, id } of change.removedNodes)
        await run(`MATCH (n:${label} {id: $id}) DETACH DELETE n`, { id: plainText(id) })
      for (const node of change.addedNodes) await run(`CREATE (:${node.label} {${MADE}})`, valuesOf(node))
      for (const node of change.changedNodes)
        await run(`MATCH (n:${node.label} {id: $id}) SET ${CHANGED}`, valuesOf(node))
      for (const edge of change.addedEdges) {
        const { from: a, to: b, relation } = edge
        const ends = `(a:${a.label} {id: $from}), (b:${b.label} {id: $to})`
        await run(
          `MATCH ${ends} CREATE (a)-[:${relation} {line: $line, name: $name, direct: $direct}]->(b)`,
          valuesOfEdge(edge),
        )
      }
    },
  )

const MADE = NODE_COLUMNS.map(name => `${name}: $${name}`).join(', ')
const CHANGED = NODE_COLUMNS.flatMap(name => (name === 'id' ? [] : [`n.${name} = $${name}`])).join(', ')

const valuesOf = (node: GraphNode) =>
  Object.fromEntries(
    NODE_COLUMNS.map(name => {
      const value = node[name]
      return [name, typeof value === 'string' ? plainText(value) : value]
    }),
  )

const valuesOfEdge = ({ from, to, line, name, direct }: GraphEdge) => ({
  from: plainText(from.id),
  to: plainText(to.id),
  line,
  name: plainText(name),
  direct,
})

/** Prepares each statement once. */
function runner(connection: LadybugConnection) {
  const statements = new Map<string, Awaited<ReturnType<LadybugConnection['prepare']>>>()
  return async (statement: string, params: Readonly<Record<string, unknown>>): Promise<void> => {
    const preparedStatement = statements.get(statement) ?? (await connection.prepare(statement))
    statements.set(statement, preparedStatement)
    if (!preparedStatement.isSuccess()) throw new Error(preparedStatement.getErrorMessage())
    await closeResults(connection.execute(preparedStatement, params))
  }
}
