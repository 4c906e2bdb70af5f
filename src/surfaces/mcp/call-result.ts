import type { CallToolResult } from '@modelcontextprotocol/server'
import type { AnswerRoom } from '../../kernel/answer-room.ts'
import { onceLoaded } from '../../kernel/once.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { adaptAnswer } from './adapt-answer.ts'
import { MOST_META } from './meta-lines.ts'
import { isOurs, type MountedTool } from './mount-tools.ts'
import { shortAnswer } from './short-answer.ts'
import { toolResult, type Answered } from './tool-result.ts'

const texts = onceLoaded(() => import('./model-text.ts'))

/** Returns the result of a call as a model reads it. Those of our own contract are texts written for models. */
export async function callResult(
  tool: MountedTool,
  answered: Answered,
  { structured, tools }: { readonly structured: boolean; readonly tools: ReadonlyMap<string, string> },
): Promise<CallToolResult> {
  if (!isOurs(tool)) {
    const { outcome, answer } = answered
    return toolResult({ outcome, answer: tool.withoutCall ? tool.withoutCall(answer) : answer }, { structured: true })
  }
  const { modelText } = await texts()
  const here = adaptAnswer(answered, tools)
  const text = await modelText(tool.name, here.outcome)
  return toolResult(structured ? { ...here, answer: shortAnswer(here.answer) } : here, { text, structured })
}

/**
 * Claude Code shows a model 2 KB of an answer above 49,000 characters, and Codex cuts the middle of one above 48,000.
 */
const MOST_TEXT = 45_000
/** Room for how to continue, and for the reference to the full answer. */
const MOST_REST = 300
/** Most text characters per character of an answer's JSON: a line break adds the number of the next line. */
const WIDEST = 8

/** Returns a client's room for a tool's answer: for its text, and for its structured content if sent. */
export function roomFor(tool: string, structured: boolean): AnswerRoom {
  return {
    most: MOST_TEXT - MOST_META - MOST_REST,
    sizeOf(data, encoded = JSON.stringify(data) ?? '') {
      const json = encoded.length
      // Known at once, so that a call with a small answer waits for nothing.
      if (json * WIDEST < MOST_TEXT - MOST_META - MOST_REST) return json * WIDEST
      return texts()
        .then(({ modelText }) => modelText(tool, { ok: true, data, meta: NOTHING_ELSE }))
        .then(text => (structured ? Math.max(json, text.length) : text.length))
    },
  }
}

const NOTHING_ELSE: Outcome['meta'] = { id: '', startedAt: '', endedAt: '', durationMs: 0, claims: [], changed: [] }
