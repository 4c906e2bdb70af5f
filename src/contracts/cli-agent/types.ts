/** The document's error object. */
export interface ToolError {
  /** Machine-readable, such as `path_outside_working_dir`. */
  code: string
  message: string
  /** What to do about it. */
  suggestion: string
}

/** What every tool of the document answers. */
export interface ToolResult {
  success: boolean
  output: string
  files_affected: readonly string[]
  execution_time_ms: number
  /** What the tool counts, as its section prints it. */
  metadata?: unknown
  /** Only where `success` is false. */
  error?: ToolError
}
