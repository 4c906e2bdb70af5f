import type { CallToolResult } from '@modelcontextprotocol/server'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Outcome } from '../../kernel/outcome.ts'

export interface Answered {
  readonly outcome: Outcome
  readonly answer: unknown
}

/** How to carry an answer. */
interface Carried {
  /** Replaces the answer as one line of JSON. */
  readonly text?: string
  readonly structured: boolean
}

/**
 * Converts a contract's answer for MCP. Clients pass on the text, the structured content or both, so both hold the same
 * facts. An image is added as an image.
 */
export function toolResult({ outcome, answer }: Answered, { text, structured }: Carried): CallToolResult {
  return {
    content: [{ type: 'text', text: text ?? jsonLine(answer) }, ...imagesIn(outcome)],
    ...(structured && isRecord(answer) && { structuredContent: answer }),
    ...(!(outcome.ok && isSuccess(answer)) && { isError: true }),
  }
}

function imagesIn(outcome: Outcome): CallToolResult['content'] {
  const media = outcome.ok && isRecord(outcome.data) ? outcome.data['media'] : undefined
  if (!isRecord(media)) return []
  const { type, data } = media
  const isImage = typeof data === 'string' && typeof type === 'string' && type.startsWith('image/')
  return isImage ? [{ type: 'image', data, mimeType: type }] : []
}

/** Reports success. A document may treat a completed call as failed, such as a command that exits with 1. */
const isSuccess = (answer: unknown): boolean =>
  !isRecord(answer) || (answer['success'] !== false && answer['ok'] !== false)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
