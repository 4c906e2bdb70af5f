import { createInterface } from 'node:readline/promises'
import { parseAnswer, renderCard } from '../../guards/approval/card.ts'
import type { Answerer } from '../../runtime/questions.ts'
import { warn, type Terminal } from './terminal.ts'

/** Asks on the terminal, where there is a person at it; undefined where there is none. */
export function askOn(terminal: Terminal): Answerer | undefined {
  if (!terminal.stdin.isTTY || !terminal.stderr.isTTY) return undefined
  return async question => {
    const { card } = question
    warn(terminal, '')
    const prompt = renderCard({
      ...card,
      files: [...new Set(card.changes.flatMap(({ from, path }) => (from === undefined ? [path] : [from, path])))],
      diff: card.changes.map(change => change.diff()).join(''),
    })
    const lines = createInterface({ input: terminal.stdin, output: terminal.stderr })
    try {
      return {
        answer: ANSWERS[parseAnswer(await lines.question(`${prompt} `))],
        by: terminal.env['USER'] ?? 'terminal',
      }
    } finally {
      lines.close()
    }
  }
}

const ANSWERS = { y: 'yes', n: 'no', always: 'always' } as const
