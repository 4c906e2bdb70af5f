import { ToolError } from '../../kernel/error.ts'
import { sanitizeBlock } from '../../kernel/sanitize.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import type { OutputChunk } from '../../kernel/run-facts.ts'
import { isFields, type Fields } from '../render/shape.ts'
import type { Terminal } from './terminal.ts'

/** Shows a command's output on the terminal as it arrives. */
interface LiveOutput {
  show(chunk: OutputChunk): void
  /** Ends the last line. Returns the outcome without the output already shown. */
  end(outcome: Outcome): Outcome
}

/** Output cannot control the terminal. Secrets are already removed. */
export function liveOutput({ stdout }: Pick<Terminal, 'stdout'>): LiveOutput {
  let isShown = false
  let isOpenLine = false
  let isEnded = false
  return {
    show({ text }) {
      // A command that is being stopped may still print for a moment.
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

/** The terminal showed all of it, even if the answer keeps only both ends. */
const rest = ({ stdout: _stdout, stderr: _stderr, truncated: _truncated, ...others }: Fields): Fields => others
