import { ToolError } from '../../../kernel/error.ts'
import { LABELS, RELATIONS } from './code-graph.ts'
import { NODE_COLUMNS, RELATION_COLUMNS } from './database/schema.ts'

/** Turns a database error about a query into a message that says what to write instead. */
export function queryError(error: unknown, timeoutMs: number): unknown {
  // What the process of the workspace did not expect comes as an internal error with its message.
  if (!(error instanceof Error) || (error instanceof ToolError && error.code !== 'internal')) return error
  const { message } = error
  const label = /Table (\S+) does not exist/.exec(message)?.[1]
  if (label !== undefined)
    return new ToolError('invalid_input', `The code graph has no label or relation ${label}`, {
      hint: `Labels: ${LABELS.join(', ')}. Relations: ${RELATIONS.join(', ')}.`,
    })
  const property = /Cannot find property (\S+) for (\S+?)\.?$/m.exec(message)
  if (property)
    return new ToolError('invalid_input', `${property[2]} has no property ${property[1]}`, {
      hint: `Nodes have ${NODE_COLUMNS.join(', ')}; relations have ${RELATION_COLUMNS.join(', ')}.`,
    })
  const twice = /Multiple result columns? with the same name (\S+)/.exec(message)?.[1]
  if (twice !== undefined) return namedTwice(twice)
  if (/^Interrupted|timeout/i.test(message)) return tooSlow(timeoutMs)
  if (/buffer manager|bad_alloc|memory/i.test(message)) return tooMuchMemory()
  if (/exception:/i.test(message))
    return new ToolError('invalid_input', `The query cannot be run: ${message.replace(/^\w+ exception:\s*/i, '')}`, {
      hint: `Labels: ${LABELS.join(', ')}. Relations: ${RELATIONS.join(', ')}. Nodes have ${NODE_COLUMNS.join(', ')}.`,
    })
  return error
}

const LESS = 'Match less at once: name labels, bound the length of paths (*1..3), add LIMIT.'

export const tooSlow = (ms: number): ToolError =>
  new ToolError('timeout', `The query was not answered within ${ms} ms`, { hint: LESS })

export const tooMuchMemory = (): ToolError =>
  new ToolError('quota', 'The query needed more memory than it may take', { hint: LESS })

/** Some databases report this before they run the query, others accept it. */
export const namedTwice = (column: string): ToolError =>
  new ToolError('invalid_input', `The query gives two columns the name ${column}`, {
    hint: 'Give each a name of its own with AS.',
  })
