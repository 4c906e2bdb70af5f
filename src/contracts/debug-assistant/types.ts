/** The document's result: `data` where it went well, `error` where not. */
export interface ToolResult<Data = unknown> {
  success: boolean
  data?: Data
  error?: { code: string; message: string }
}
