import type { Engines } from '../../engines/engines.ts'
import type { Contract } from '../../kernel/contract.ts'
import { answerSchema } from './answer-schema.ts'
import { listDirs } from './list-dirs.ts'
import { listFiles } from './list-files.ts'
import { readFile } from './read-file.ts'
import { searchCode } from './search-code.ts'
import { todo } from './todo.ts'
import { validateOutput } from './validate-output.ts'

/** The document "Agents Tools - Contratos". */
export const autonomous: Contract<Engines> = {
  id: 'autonomous',
  tools: [listDirs, listFiles, readFile, searchCode, todo, validateOutput],
  // The document's own limit holds: 100 KB of text, of which every character may take six in JSON.
  answerBytes: 1024 * 1024,
  // The document knows failures by their text alone; these are the words of the log.
  codes: {
    invalid_input: 'invalid_input',
    unknown_tool: 'unknown_tool',
    unknown_secret: 'unknown_secret',
    not_found: 'not_found',
    not_a_file: 'not_a_file',
    not_a_directory: 'not_a_directory',
    exists: 'exists',
    binary: 'binary',
    too_large: 'too_large',
    out_of_range: 'out_of_range',
    no_match: 'no_match',
    ambiguous: 'ambiguous',
    conflict: 'conflict',
    invalid_result: 'invalid_result',
    outside_workspace: 'outside_repository',
    denied: 'denied',
    rejected: 'rejected',
    budget_exceeded: 'budget_exceeded',
    quota: 'rate_limited',
    timeout: 'timeout',
    cancelled: 'cancelled',
    unavailable: 'unavailable',
    io: 'io',
    internal: 'internal',
  },
  answerSchema,
  envelope(_call, outcome) {
    if (outcome.ok) return outcome.data
    const { message, hint, details } = outcome.error
    // The document has one sentence for whoever has no access; the record of the call says why.
    if (details?.['access'] === 'none') return { error: NO_CONNECTION }
    return { error: hint ? `${message}. ${hint}` : message }
  },
}

const NO_CONNECTION = 'No active GitHub connection found'
