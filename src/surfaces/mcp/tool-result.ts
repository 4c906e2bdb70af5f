import type { CallToolResult } from '@modelcontextprotocol/server'
import { jsonLine } from '../../kernel/json-line.ts'
import type { Outcome } from '../../kernel/outcome.ts'

/**
 * A contract's answer as MCP carries it. Clients hand on either the text or the structured content, so both hold the
 * same facts: the text is the structured content as one line of JSON. An image stands beside it, as an image.
 */
export function toolResult({
  outcome,
  answer,
}: {
  readonly outcome: Outcome
  readonly answer: unknown
}): CallToolResult {
  return {
    content: [{ type: 'text', text: jsonLine(answer) }, ...imagesIn(outcome)],
    ...(isRecord(answer) && { structuredContent: answer }),
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

/** A document may call a call failed that ran to its end, such as a command that exits with 1. */
const isSuccess = (answer: unknown): boolean =>
  !isRecord(answer) || (answer['success'] !== false && answer['ok'] !== false)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
