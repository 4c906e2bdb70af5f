/** The document's ToolResult. */
export interface ToolResult {
  name: string
  input: unknown
  /** What the tool gave, an `{ error }` of its own too; absent where there is no such tool. */
  output?: unknown
  error?: string
  /** Asks `search_code` for more: its output is a list, which has no place for it. */
  nextCursor?: string
}
