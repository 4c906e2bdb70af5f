/** The document's result: `data` on success, otherwise `error`. */
export interface ToolResult<Data = unknown> {
  success: boolean
  data?: Data
  error?: { code: string; message: string }
}
