// What the document of debug-assistant prints as TypeScript.
import { z } from 'zod'

export const read_file = z.object({
  filePath: z.string()
    .describe('Relative path from workspace root (e.g., "src/utils/helper.ts")'),
  lineStart: z.number().int().positive().optional()
    .describe('Starting line number (1-indexed, inclusive)'),
  lineEnd: z.number().int().positive().optional()
    .describe('Ending line number (1-indexed, inclusive)'),
  encoding: z.enum(['utf-8', 'utf-16', 'ascii']).default('utf-8')
    .describe('File encoding'),
})

export type ReadFile = {
  success: boolean;
  data?: {
    filePath: string;
    content: string;
    lineCount: number;
    encoding: string;
    fileSize: number;  // bytes
  };
  error?: {
    code: 'FILE_NOT_FOUND' | 'PERMISSION_DENIED' | 'BINARY_FILE' | 'TOO_LARGE';
    message: string;
  };
}

export const web_search_wiki = z.object({
  query: z.string().min(3).max(200)
    .describe('Search query (error message, function name, or concept)'),
  sources: z.array(z.enum(['stackoverflow', 'github', 'docs', 'mdn']))
    .default(['stackoverflow', 'github'])
    .describe('Which sources to search'),
  maxResults: z.number().int().min(1).max(10).default(5)
    .describe('Maximum number of results to return'),
})

export type WebSearchWiki = {
  success: boolean;
  data?: {
    query: string;
    results: Array<{
      title: string;
      url: string;
      snippet: string;  // 200 char excerpt
      source: 'stackoverflow' | 'github' | 'docs' | 'mdn';
      relevanceScore: number;  // 0.0-1.0
    }>;
    totalFound: number;
  };
  error?: {
    code: 'RATE_LIMIT_EXCEEDED' | 'API_ERROR' | 'NO_RESULTS';
    message: string;
  };
}

export const get_code_context = z.object({
  filePath: z.string()
    .describe('File containing the error'),
  line: z.number().int().positive()
    .describe('Error line number (1-indexed)'),
  contextLines: z.number().int().min(5).max(100).default(50)
    .describe('Number of lines to include (before and after error)'),
  includeFunctionDef: z.boolean().default(true)
    .describe('Whether to include the full function containing the error'),
})

export type GetCodeContext = {
  success: boolean;
  data?: {
    filePath: string;
    errorLine: number;
    context: {
      before: string;  // Code before error line
      errorLine: string;  // The actual error line
      after: string;  // Code after error line
    };
    functionDefinition?: {
      name: string;
      startLine: number;
      endLine: number;
      signature: string;
    };
    relevantImports: Array<{
      module: string;
      imported: string[];
      line: number;
    }>;
  };
  error?: {
    code: 'FILE_NOT_FOUND' | 'LINE_OUT_OF_RANGE';
    message: string;
  };
}

export const find_callers_of_function = z.object({
  functionName: z.string()
    .describe('Name of the function to find callers for'),
  filePath: z.string()
    .describe('File where function is defined'),
  maxDepth: z.number().int().min(1).max(5).default(2)
    .describe('Maximum call chain depth to traverse'),
})

export type FindCallersOfFunction = {
  success: boolean;
  data?: {
    functionName: string;
    filePath: string;
    callers: Array<{
      callerName: string;
      filePath: string;
      line: number;
      callChain: string[];  // ['main', 'processData', 'fetchData']
      depth: number;
    }>;
    totalCallers: number;
  };
  error?: {
    code: 'FUNCTION_NOT_FOUND' | 'LSP_UNAVAILABLE' | 'TIMEOUT';
    message: string;
  };
}

export const vector_search_db = z.object({
  query: z.string()
    .describe('Error description or stack trace to search for'),
  language: z.string().optional()
    .describe('Filter by programming language (e.g., "typescript", "python")'),
  errorType: z.string().optional()
    .describe('Filter by error type (e.g., "TypeError", "NullPointerException")'),
  minConfidence: z.number().min(0).max(1).default(0.7)
    .describe('Minimum confidence score for results'),
  limit: z.number().int().min(1).max(10).default(5)
    .describe('Maximum number of results'),
})

export type VectorSearchDb = {
  success: boolean;
  data?: {
    query: string;
    results: Array<{
      id: string;
      errorDescription: string;
      rootCause: string;
      solution: string;
      language: string;
      errorType: string;
      confidence: number;  // 0.0-1.0
      userValidated: boolean;
      similarity: number;  // Cosine similarity to query
      metadata: {
        createdAt: string;
        fixedIn: string;  // File path
      };
    }>;
    totalFound: number;
  };
  error?: {
    code: 'DB_CONNECTION_FAILED' | 'EMBEDDING_FAILED' | 'NO_RESULTS';
    message: string;
  };
}

export const get_user_error_context = z.object({
  captureSelection: z.boolean().default(true)
    .describe('Include currently selected text'),
  captureDiagnostics: z.boolean().default(true)
    .describe('Include VS Code error/warning diagnostics'),
  captureTerminal: z.boolean().default(false)
    .describe('Include recent terminal output (last 50 lines)'),
})

export type GetUserErrorContext = {
  success: boolean;
  data?: {
    activeFile: string;
    cursorPosition: { line: number; character: number };
    selectedText?: string;
    diagnostics: Array<{
      severity: 'error' | 'warning' | 'info';
      message: string;
      line: number;
      column: number;
      source: string;  // 'typescript', 'eslint', etc.
    }>;
    terminalOutput?: string;
  };
  error?: {
    code: 'NO_ACTIVE_EDITOR' | 'NO_DIAGNOSTICS';
    message: string;
  };
}
