import { sanitize } from '../../kernel/sanitize.ts'
import type { Terminal } from './terminal.ts'

/** Shows the current activity in one line of a person's terminal. */
interface StatusLine {
  show(text: string): void
  /** Restores the line. */
  clear(): void
}

/** Does nothing if standard error is not a terminal. */
export function statusLine({ stderr, env }: Terminal): StatusLine {
  const on = stderr.isTTY === true && env['TERM'] !== 'dumb'
  let isShown = false
  return {
    show(text) {
      if (!on) return
      stderr.write(`\r\x1b[K${sanitize(text, { max: 200 })}`)
      isShown = true
    },
    clear() {
      if (isShown) stderr.write('\r\x1b[K')
      isShown = false
    },
  }
}
