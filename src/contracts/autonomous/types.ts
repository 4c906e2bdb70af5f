/** The document's ToolResult. */
export interface ToolResult {
  name: string
  input: unknown
  /** The tool's output, which may be an `{ error }` of its own; absent if the tool does not exist. */
  output?: unknown
  error?: string
  /** The cursor for the rest of `search_code`, whose output is a list without a field for it. */
  nextCursor?: string
}
