import type { Engines } from '../../engines/engines.ts'
import type { Contract, Call } from '../../kernel/contract.ts'
import type { Code } from '../../kernel/error.ts'
import { validatorReport } from '../../kernel/failed-validators.ts'
import { workedMs } from '../../kernel/time.ts'
import { published } from '../published.ts'
import { countsOf, formatOutput, reportIn, sentenceOf } from './command-report.ts'
import { createDirectory } from './create-directory.ts'
import { createFile } from './create-file.ts'
import { fetchWebpage } from './fetch-webpage.ts'
import { fileSearch } from './file-search.ts'
import { grepSearch } from './grep-search.ts'
import { listDir } from './list-dir.ts'
import { codeOf, wordingOf } from './messages.ts'
import { readFile } from './read-file.ts'
import { replaceStringInFile } from './replace-string-in-file.ts'
import { runInTerminal } from './run-in-terminal.ts'
import { terminalLastCommand } from './terminal-last-command.ts'
import type { ToolResult } from './types.ts'
import type { JsonSchema } from '../../kernel/json-schema.ts'

/** Every tool of the contract `cli-agent`. */
export type CliAgentTool =
  | typeof createFile
  | typeof readFile
  | typeof replaceStringInFile
  | typeof listDir
  | typeof fileSearch
  | typeof grepSearch
  | typeof runInTerminal
  | typeof terminalLastCommand
  | typeof createDirectory
  | typeof fetchWebpage

/** The document "Tool API Contracts" of the cli-agent. */
export const cliAgent: Contract<Engines, CliAgentTool> = published({
  id: 'cli-agent',
  tools: [
    createFile,
    readFile,
    replaceStringInFile,
    listDir,
    fileSearch,
    grepSearch,
    runInTerminal,
    terminalLastCommand,
    createDirectory,
    fetchWebpage,
  ],
  // The document's own limits: 10MB of text, in which every character may take six in JSON.
  answerBytes: 64 * 1024 * 1024,
  codes: {
    invalid_input: 'invalid_parameters',
    unknown_tool: 'unknown_tool',
    unknown_secret: 'unknown_secret',
    not_found: 'file_not_found',
    not_a_file: 'not_a_file',
    not_a_directory: 'not_a_directory',
    exists: 'file_exists',
    binary: 'binary_file',
    too_large: 'file_too_large',
    out_of_range: 'line_range_invalid',
    no_match: 'string_not_found',
    ambiguous: 'ambiguous_match',
    conflict: 'conflict',
    invalid_result: 'internal_error',
    outside_workspace: 'path_outside_working_dir',
    denied: 'permission_denied',
    rejected: 'not_approved',
    budget_exceeded: 'budget_exceeded',
    quota: 'quota_exceeded',
    timeout: 'timeout',
    cancelled: 'cancelled',
    unavailable: 'unavailable',
    io: 'io_error',
    internal: 'internal_error',
  },
  answerSchema,
  envelope(call, { meta, ...outcome }): ToolResult {
    const execution_time_ms = Math.round(workedMs(meta))
    if (outcome.ok) {
      const { output, files = meta.changed, metadata } = shapeOf(outcome.data)
      const error = commandFailure(call, output, metadata)
      return {
        success: error === undefined,
        output: `${meta.dryRun && !error ? DRY_RUN : ''}${withWarnings(output, meta.warnings)}`,
        files_affected: files,
        execution_time_ms,
        ...(metadata !== undefined && { metadata }),
        ...(error && { error }),
      }
    }
    const { message, long, suggestion } = wordingOf(call, outcome.error)
    const report = reportIn(outcome.error.details)
    const outputText = report && report.stdout + report.stderr !== '' ? `\n${formatOutput(report)}` : ''
    return {
      success: false,
      output: `Error: ${withWarnings(message + outputText, notesIn(outcome.error.details))}${validatorReport(outcome.error.details)}`,
      files_affected: [],
      execution_time_ms,
      ...(report && { metadata: countsOf(report) }),
      error: { code: namedCode(call.name, codeOf(outcome.error)), message: long, suggestion },
    }
  },
  printed: ({ name }, answer) => ({ tool: name, ...Object(answer) }),
})

/** The document has no dry run, and no other field that could mark one. */
const DRY_RUN = 'Dry run, nothing was changed: '

/** The document has no other field for warnings. */
const withWarnings = (output: string, warnings: readonly string[] = []): string =>
  warnings.length === 0 ? output : [output.replace(/\n$/, ''), ...warnings.map(warningLine)].join('\n')

/** Says what the output of a failed command lacks, and where all of it is. */
const notesIn = ({ outputNotes }: Readonly<Record<string, unknown>> = {}): readonly string[] =>
  Array.isArray(outputNotes) ? outputNotes.map(String) : []

const warningLine = (warning: string): string => `Warning: ${warning}`

const namedCode = (name: string, code: Code): string =>
  cliAgent.tools.find(tool => tool.name === name)?.codes?.[code] ?? cliAgent.codes[code]

function shapeOf(data: unknown): { output: string; files?: readonly string[]; metadata?: unknown } {
  const { output, files, metadata } = Object(data)
  return { output, ...(files !== undefined && { files }), ...(metadata !== undefined && { metadata }) }
}

const text = { type: 'string' }

/** The document's result object; `metadata` holds a tool's counts. */
function answerSchema({ properties }: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      output: text,
      files_affected: { type: 'array', items: text },
      execution_time_ms: { type: 'integer' },
      metadata: Object(properties).metadata ?? { type: 'object' },
      error: {
        type: 'object',
        properties: { code: text, message: text, suggestion: text },
        required: ['code', 'message'],
      },
    },
    required: ['success', 'output', 'files_affected', 'execution_time_ms'],
  }
}

/**
 * The document treats a nonzero exit code as an error. The call itself succeeded and its changes have landed, so only
 * the answer reports it.
 */
function commandFailure(
  { name }: Call,
  output: string,
  metadata: unknown,
): { readonly code: string; readonly message: string; readonly suggestion: string } | undefined {
  if (name !== 'run_in_terminal' || Reflect.get(Object(metadata), 'exit_code') === 0) return undefined
  const message = sentenceOf(output)
  return message.endsWith("' not found")
    ? { code: 'command_not_found', message, suggestion: 'Check the name, or install the program' }
    : { code: 'command_failed', message, suggestion: 'Read the output of the command, then fix the cause' }
}
