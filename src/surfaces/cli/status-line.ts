import { sanitize } from '../../kernel/sanitize.ts'
import type { Terminal } from './terminal.ts'

/** A line on a person's terminal that says what is going on. */
interface StatusLine {
  show(text: string): void
  /** Leaves the line as it was before. */
  clear(): void
}

/** Nothing where standard error is no terminal. */
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
