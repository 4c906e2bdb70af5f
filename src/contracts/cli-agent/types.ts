/** The document's error object. */
export interface ToolError {
  /** Machine-readable, such as `path_outside_working_dir`. */
  code: string
  message: string
  /** What to do about it. */
  suggestion: string
}

/** The result of every tool of the document. */
export interface ToolResult {
  success: boolean
  output: string
  files_affected: readonly string[]
  execution_time_ms: number
  /** The tool's counts, as its section prints them. */
  metadata?: unknown
  /** Set only if `success` is false. */
  error?: ToolError
}
