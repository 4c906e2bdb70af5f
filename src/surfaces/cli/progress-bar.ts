import type { Terminal } from './terminal.ts'

export interface ProgressBar {
  show(done: number, of: number): void
  /** Leaves the line as it was before. */
  clear(): void
}

const WIDTH = 30

/** A line on a person's terminal that says how far something is; nothing anywhere else. */
export function progressBar(terminal: Terminal, what: string): ProgressBar {
  const { stderr } = terminal
  const on = stderr.isTTY === true && terminal.env['TERM'] !== 'dumb'
  let isShown = false
  return {
    show(done, of) {
      if (!on) return
      const full = of === 0 ? 0 : Math.round((Math.min(done, of) / of) * WIDTH)
      const bar = '█'.repeat(full) + '░'.repeat(WIDTH - full)
      stderr.write(`\r\x1b[K${what} ${bar} ${done.toLocaleString('en')} of ${of.toLocaleString('en')}`)
      isShown = true
    },
    clear() {
      if (isShown) stderr.write('\r\x1b[K')
      isShown = false
    },
  }
}
