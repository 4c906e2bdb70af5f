import { statusLine } from './status-line.ts'
import type { Terminal } from './terminal.ts'

interface ProgressBar {
  show(done: number, of: number): void
  /** Restores the line. */
  clear(): void
}

const WIDTH = 30

/** Shows progress in one line of a person's terminal; does nothing elsewhere. */
export function progressBar(terminal: Terminal, what: string): ProgressBar {
  const line = statusLine(terminal)
  return {
    show(done, of) {
      const full = of === 0 ? 0 : Math.round((Math.min(done, of) / of) * WIDTH)
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
      line.show(`${what} ${bar} ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`)
    },
    clear: line.clear,
  }
}
