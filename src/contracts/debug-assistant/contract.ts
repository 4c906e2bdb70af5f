import type { Engines } from '../../engines/engines.ts'
import type { Call, Contract } from '../../kernel/contract.ts'
import type { ToolError, Code } from '../../kernel/error.ts'
import { isSystemRefusal } from '../../kernel/system-refusal.ts'
import { memoryFailure, type MemoryFailure } from '../../knowledge/memory/failure.ts'
import { published } from '../published.ts'
import { findCallersOfFunction } from './find-callers-of-function.ts'
import { getCodeContext } from './get-code-context.ts'
import { readFile } from './read-file.ts'
import { systemPrompt } from './system-prompt.ts'
import type { ToolResult } from './types.ts'
import { vectorSearchDb } from './vector-search-db.ts'
import { webSearchWiki } from './web-search-wiki.ts'
import type { JsonSchema } from '../../kernel/json-schema.ts'

/** Every tool of the contract `debug-assistant`. */
export type DebugAssistantTool =
  | typeof readFile
  | typeof webSearchWiki
  | typeof getCodeContext
  | typeof findCallersOfFunction
  | typeof vectorSearchDb

/** The document "API Contracts - Tool Input/Output Schemas" of the debugging assistant. */
export const debugAssistant: Contract<Engines, DebugAssistantTool> = published({
  id: 'debug-assistant',
  tools: [readFile, webSearchWiki, getCodeContext, findCallersOfFunction, vectorSearchDb],
  // The document's own limit: 10MB of text, in which every character may take six in JSON.
  answerBytes: 64 * 1024 * 1024,
  codes: {
    invalid_input: 'INVALID_PARAMETERS',
    unknown_tool: 'INVALID_PARAMETERS',
    unknown_secret: 'INVALID_PARAMETERS',
    not_found: 'FILE_NOT_FOUND',
    not_a_file: 'FILE_NOT_FOUND',
    not_a_directory: 'FILE_NOT_FOUND',
    exists: 'INTERNAL_ERROR',
    binary: 'BINARY_FILE',
    too_large: 'TOO_LARGE',
    out_of_range: 'LINE_OUT_OF_RANGE',
    no_match: 'FUNCTION_NOT_FOUND',
    ambiguous: 'INVALID_PARAMETERS',
    conflict: 'INTERNAL_ERROR',
    invalid_result: 'INTERNAL_ERROR',
    outside_workspace: 'PERMISSION_DENIED',
    denied: 'PERMISSION_DENIED',
    rejected: 'PERMISSION_DENIED',
    budget_exceeded: 'PERMISSION_DENIED',
    quota: 'PERMISSION_DENIED',
    timeout: 'TOOL_TIMEOUT',
    cancelled: 'INTERNAL_ERROR',
    unavailable: 'LSP_UNAVAILABLE',
    io: 'INTERNAL_ERROR',
    internal: 'INTERNAL_ERROR',
  },
  answerSchema,
  prompts: { system: () => systemPrompt(debugAssistant.tools) },
  envelope(call, outcome): ToolResult {
    if (outcome.ok) return { success: true, data: outcome.data }
    const { code, details } = outcome.error
    const isRefused = isSystemRefusal(outcome.error)
    // Distinguishes a timeout of the tool from one of a language server.
    const isOwnTime = code === 'timeout' && details?.['timeoutMs'] !== undefined
    const ownCodes = debugAssistant.tools.find(({ name }) => name === call.name)?.codes
    const failure = memoryFailure(outcome.error)
    const specificCode = isOwnTime ? undefined : failure ? MEMORY_CODES[failure] : ownCodes?.[code]
    return {
      success: false,
      error: {
        code: isRefused ? 'PERMISSION_DENIED' : (specificCode ?? debugAssistant.codes[code]),
        message: messageOf(call, outcome.error),
      },
    }
  },
})

/** The document has its own text for a missing file. */
function messageOf({ input }: Call, error: ToolError): string {
  const { code, message } = error
  const { filePath } = Object(input)
  if (code === 'not_found' && typeof filePath === 'string') return `File '${filePath}' does not exist in workspace`
  const hint = hintOf(error)
  return hint ? `${message}. ${hint}` : message
}

/** The document's codes for its database. */
const MEMORY_CODES: Readonly<Record<MemoryFailure, string>> = {
  store_unreachable: 'DB_CONNECTION_FAILED',
  collection_missing: 'COLLECTION_NOT_FOUND',
  embedding_failed: 'EMBEDDING_FAILED',
  no_results: 'NO_RESULTS',
}

const text = { type: 'string' }

/** The document's result: `data` on success, otherwise `error`. */
function answerSchema(data: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      success: { type: 'boolean' },
      data,
      error: { type: 'object', properties: { code: text, message: text }, required: ['code', 'message'] },
    },
    required: ['success'],
  }
}

/** Replaces hints that name tools of another contract. */
const HINTS: Partial<Readonly<Record<Code, string>>> = {
  too_large: 'Ask about a smaller file',
  not_a_file: 'Name a file',
}

/** Returns a hint that names only tools and parameters of this document. */
function hintOf({ code, hint, details }: ToolError): string | undefined {
  if (code === 'ambiguous') return namedIn(details?.['symbols']) ?? hint
  return HINTS[code] ?? hint?.replace('Look for it with grep', 'Read the file with read_file')
}

/** Returns the names that `functionName` accepts; undefined if only their lines differ. */
function namedIn(given: unknown): string | undefined {
  const symbols = [given].flat().filter(symbol => typeof symbol === 'string')
  const names = new Set(symbols.map(symbol => symbol.replace(/ \(line \d+\)$/, '')))
  return names.size > 1 && names.size === symbols.length
    ? `Give one of these as functionName: ${[...names].join(', ')}`
    : undefined
}
