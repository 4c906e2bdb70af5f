import type { AnswerRoom } from '../../kernel/answer-room.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { MOST_META } from './meta-lines.ts'

/** Claude Code shows a model 2 KB of an answer above 49,000 characters, and Codex cuts the middle of one above 48,000. */
const MOST = 45_000
/** How to go on, and what the whole of the answer is called. */
const MOST_REST = 300
/** No character of an answer's JSON takes more of its text: a line break takes the number of the next line. */
const WIDEST = 8

/** The room that a client has for an answer of a tool: for its text, and for its structured content where that is sent. */
export function roomFor(tool: string, structured: boolean): AnswerRoom {
  return {
    most: MOST - MOST_META - MOST_REST,
    async sizeOf(data) {
      const json = (JSON.stringify(data) ?? '').length
      if (json * WIDEST < MOST - MOST_META - MOST_REST) return json * WIDEST
      const { modelText } = await import('./model-text.ts')
      const text = await modelText(tool, { ok: true, data, meta: NOTHING_ELSE })
      return structured ? Math.max(json, text.length) : text.length
    },
  }
}

const NOTHING_ELSE: Outcome['meta'] = { id: '', startedAt: '', endedAt: '', durationMs: 0, claims: [], changed: [] }
