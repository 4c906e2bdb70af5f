import { sanitize } from '../../kernel/sanitize.ts'
import { answeredBy, type Answerer, type Question } from '../../runtime/questions.ts'
import { isTypedAt, painter, warn, type Terminal } from './terminal.ts'

/** Asks a person at the terminal. Returns undefined if no one is there. */
export function askOn(terminal: Terminal, onInterrupt?: () => void): Answerer | undefined {
  if (!isTypedAt(terminal)) return undefined
  return async question => {
    const [{ parseAnswer }, { cardText }, { colouredDiff }, { discardTyped }] = await Promise.all([
      import('../../guards/approval/card.ts'),
      import('../card-text.ts'),
      import('../render/diff.ts'),
      import('./discard-typed.ts'),
    ])
    const { text, isWhole } = cardText(question.card)
    const lines = text.split('\n')
    // Only the last line is the prompt: one longer than the screen would be redrawn with every key.
    warn(terminal, ['', ...colouredDiff(lines.slice(0, -1), painter(terminal, terminal.stderr))].join('\n'))
    // Said also to a person whose answer comes second.
    question.closed.addEventListener('abort', () => warn(terminal, `\n${closedText(question)}`), { once: true })
    const isWanted = await discardTyped(terminal)
    if (!isWanted) onInterrupt?.()
    const reply = isWanted ? await typedLine(terminal, `${lines.at(-1)} `, question.closed, onInterrupt) : ''
    const answer = ANSWERS[parseAnswer(reply)]
    const [, reason] = /^no?\s+(\S.*)$/is.exec(reply.trim()) ?? []
    // An `always` that was not offered is not a clear yes.
    const isOffered = answer !== 'always' || (isWhole && question.card.proposal !== undefined)
    const by = terminal.env['USER'] || 'terminal'
    return { answer: isOffered ? answer : 'no', by, ...(reason !== undefined && { reason }) }
  }
}

/** Says who answered a question instead. */
function closedText(question: Question): string {
  const elsewhere = answeredBy(question)
  if (!elsewhere) return 'The question was closed without an answer.'
  const { answer, by, reason } = elsewhere
  return sanitize(`Answered ${answer} by ${by}${reason === undefined ? '' : `: ${reason}`}`)
}

/** Returns the typed line; empty if the person closes the input or interrupts, or the signal ends the prompt. */
export async function typedLine(
  terminal: Terminal,
  prompt: string,
  signal?: AbortSignal,
  onInterrupt?: () => void,
): Promise<string> {
  if (signal?.aborted) return ''
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ])
  const { stdin: input, stderr: output } = terminal
  const lines = createInterface({ input, ...(output instanceof Writable && { output }) })
  const whenClosed = new Promise<undefined>(resolve => lines.once('close', () => resolve(undefined)))
  // Ctrl-C closes the prompt; an interrupt may also come from another process.
  const close = (): void => lines.close()
  // While keys are read one by one, Ctrl-C is one of them.
  lines.once('SIGINT', () => {
    onInterrupt?.()
    close()
  })
  process.once('SIGINT', close)
  signal?.addEventListener('abort', close, { once: true })
  try {
    const typedText = await Promise.race([lines.question(prompt).catch(() => undefined), whenClosed])
    // The cursor is still after the prompt.
    if (typedText === undefined && !signal?.aborted) warn(terminal, '')
    return typedText ?? ''
  } finally {
    process.off('SIGINT', close)
    signal?.removeEventListener('abort', close)
    lines.close()
  }
}

const ANSWERS = { y: 'yes', n: 'no', always: 'always' } as const
