import { loadLadybug } from '../../knowledge/code/graph/database/ladybug.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Finding } from './doctor-finding.ts'

/** Whether code graphs can be made here. */
export async function graphDatabase(): Promise<Finding[]> {
  const about = 'Graphs'
  try {
    await loadLadybug()
    return [{ state: 'good', about, text: 'the database for code graphs is installed' }]
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return [{ state: 'limited', about, text: `${error.message}: ${error.hint}` }]
  }
}
