/** Whether answers carry structured content besides their text. */
export const STRUCTURED = ['never', 'auto', 'always'] as const

export type Structured = (typeof STRUCTURED)[number]

export const isStructured = (text: string): text is Structured => STRUCTURED.some(one => one === text)

/**
 * Clients that hand the structured content to the model in place of the text, or both: they get the text alone. By the
 * name that they give themselves; seen with Claude Code 2.1, Codex 0.166 and Gemini CLI 0.61.
 */
const TEXT_ALONE = /^(claude-code|codex-mcp-client|gemini-cli-mcp-client)\b/

/** Reports whether a client gets structured content, and so the schema of it; one that nobody knows gets both. */
export const getsStructured = (structured: Structured, client: string): boolean =>
  structured === 'always' || (structured === 'auto' && !TEXT_ALONE.test(client))
