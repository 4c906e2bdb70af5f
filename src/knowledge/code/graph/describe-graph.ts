import { LABELS } from './code-graph.ts'
import { NODE_COLUMNS, RELATION_COLUMNS } from './database/schema.ts'

/** Help for models that write queries. */
export const GRAPH_DESCRIPTION = `Nodes: ${LABELS.join(', ')}, each with ${NODE_COLUMNS.join(', ')} (lines is [first, last]; id is the path of a File, else path#Class.method). \
Relations: File-DEFINES->symbol, symbol-CONTAINS->symbol, Module-CONTAINS->File (packages), File-IMPORTS->File or Module, File-EXPORTS->symbol, \
(File|Function|Method|Class|Variable|Test)-CALLS->(Function|Method|Class|Variable), Class-EXTENDS->Class, Class-IMPLEMENTS->Interface, USES, \
Test-TESTS->symbol; each with ${RELATION_COLUMNS.join(', ')} (direct is false for a call that may mean an override). \
Examples: (1) who calls a function: MATCH (a)-[c:CALLS]->(f:Function) WHERE f.name = $name RETURN a.path, a.name, c.line; \
(2) what a file reaches in three steps: MATCH (f:File {path: 'src/a.ts'})-[:IMPORTS*1..3]->(g:File) RETURN DISTINCT g.path; \
(3) exported functions without a test: MATCH (f:Function) WHERE f.exported AND NOT EXISTS { MATCH (:Test)-[:TESTS]->(f) } RETURN f.path, f.name.`
