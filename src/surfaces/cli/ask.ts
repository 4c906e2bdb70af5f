import type { Answerer } from '../../runtime/questions.ts'
import { isTypedAt, painter, warn, type Terminal } from './terminal.ts'

/** Asks a person at the terminal. Returns undefined if no one is there. */
export function askOn(terminal: Terminal): Answerer | undefined {
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
    const isWanted = await discardTyped(terminal)
    const typed = isWanted ? await typedLine(terminal, `${lines.at(-1)} `) : ''
    const answer = ANSWERS[parseAnswer(typed)]
    // An `always` that was not offered is not a clear yes.
    const isOffered = answer !== 'always' || (isWhole && question.card.proposal !== undefined)
    return { answer: isOffered ? answer : 'no', by: terminal.env['USER'] || 'terminal' }
  }
}

/** Returns the typed line, or undefined if the person closes the input or interrupts. */
export async function typedLine(terminal: Terminal, prompt: string): Promise<string> {
  const [{ createInterface }, { Writable }] = await Promise.all([
    import('node:readline/promises'),
    import('node:stream'),
  ])
  const { stdin: input, stderr: output } = terminal
  const lines = createInterface({ input, ...(output instanceof Writable && { output }) })
  const closed = new Promise<undefined>(resolve => lines.once('close', () => resolve(undefined)))
  // Ctrl-C closes the prompt; an interrupt may also come from another process.
  const close = (): void => lines.close()
  process.once('SIGINT', close)
  try {
    const typed = await Promise.race([lines.question(prompt).catch(() => undefined), closed])
    // The cursor is still after the prompt.
    if (typed === undefined) warn(terminal, '')
    return typed ?? ''
  } finally {
    process.off('SIGINT', close)
    lines.close()
  }
}

const ANSWERS = { y: 'yes', n: 'no', always: 'always' } as const
