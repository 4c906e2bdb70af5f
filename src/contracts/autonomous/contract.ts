import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import type { ToolError } from '../../kernel/error.ts'
import { OWN_CODES } from '../../kernel/own-codes.ts'
import { published } from '../published.ts'
import { listDirs } from './list-dirs.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { searchCode } from './search-code.ts'
import { todo } from './todo.ts'
import type { ToolResult } from './types.ts'
import { validateOutput } from './validate-output.ts'
import type { JsonSchema } from '../../kernel/json-schema.ts'

/** Every tool of the contract `autonomous`. */
export type AutonomousTool =
  | typeof listDirs
  | typeof listFiles
  | typeof readFile
  | typeof searchCode
  | typeof todo
  | typeof validateOutput

/** The document "Agents Tools - Contratos". */
export const autonomous: Contract<Engines, AutonomousTool> = published({
  id: 'autonomous',
  tools: [listDirs, listFiles, readFile, searchCode, todo, validateOutput],
  // The document's own limit: 100 KB of text, in which every character may take six in JSON.
  answerBytes: 1024 * 1024,
  // The document has no codes for failures; the log uses these.
  codes: { ...OWN_CODES, outside_workspace: 'outside_repository', quota: 'rate_limited' },
  answerSchema,
  envelope({ name, input }, outcome): ToolResult {
    const { nextCursor } = outcome.meta
    if (outcome.ok) return { name, input, output: outcome.data, ...(nextCursor !== undefined && { nextCursor }) }
    const error = sentenceOf(outcome.error)
    // Without a tool there is no output.
    return { name, input, ...(outcome.error.code !== 'unknown_tool' && { output: { error } }), error }
  },
  withoutCall(answer) {
    const { output, error } = answer as ToolResult
    return output ?? { error }
  },
})

function sentenceOf({ message, hint, details }: ToolError): string {
  // The document has one sentence for every lack of access; the journal record has the reason.
  if (details?.['access'] === 'none') return NO_CONNECTION
  return hint ? `${message}. ${hint}` : message
}

const NO_CONNECTION = 'No active GitHub connection found'

/** What the tool gives as it is, or `error` alone; a list is no object and has no schema of this kind. */
function answerSchema({ properties, type }: JsonSchema): JsonSchema | undefined {
  if (type !== 'object') return undefined
  return { type: 'object', properties: { ...Object(properties), error: { type: 'string' } } }
}
