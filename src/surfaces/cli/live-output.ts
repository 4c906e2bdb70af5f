import { ToolError } from '../../kernel/error.ts'
import { sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import type { OutputChunk } from '../../kernel/run-facts.ts'
import { isFields, type Fields } from '../render/shape.ts'
import type { Terminal } from './terminal.ts'

/** What a command prints, on the terminal as it comes. */
interface LiveOutput {
  show(chunk: OutputChunk): void
  /** Ends the last line, and gives the outcome without what is on the terminal by now. */
  end(outcome: Outcome): Outcome
}

/** Nothing shown can steer the terminal; secrets were taken out before. */
export function liveOutput({ stdout }: Pick<Terminal, 'stdout'>): LiveOutput {
  let isShown = false
  let isOpenLine = false
  let isEnded = false
  return {
    show({ text }) {
      // A command that is being stopped may go on printing for a moment.
      if (text === '' || isEnded) return
      stdout.write(sanitizeBlock(text))
      isShown = true
      isOpenLine = !text.endsWith('\n')
    },
    end(outcome) {
      isEnded = true
      // After Ctrl-C the terminal has written `^C` itself.
      if (isOpenLine || (!outcome.ok && outcome.error.code === 'cancelled')) stdout.write('\n')
      return isShown ? withoutPrinted(outcome) : outcome
    },
  }
}

function withoutPrinted(outcome: Outcome): Outcome {
  if (outcome.ok) return isFields(outcome.data) ? { ...outcome, data: rest(outcome.data) } : outcome
  const { code, message, hint, details } = outcome.error
  if (!details) return outcome
  const error = new ToolError(code, message, { ...(hint !== undefined && { hint }), details: rest(details) })
  return { ...outcome, error }
}

/** The terminal had all of it, also where the answer keeps only its ends. */
const rest = ({ stdout: _stdout, stderr: _stderr, truncated: _truncated, ...others }: Fields): Fields => others
