import { spawnSync } from 'node:child_process'
import { Writable } from 'node:stream'
import { WriteStream } from 'node:tty'
import { say, type Terminal } from './terminal.ts'

/** Prints the text, through the pager if it does not fit on a real terminal. */
export function sayPaged(terminal: Terminal, text: string): void {
  const { stdout, env } = terminal
  if (!(stdout instanceof WriteStream) || env['TERM'] === 'dumb' || fitsScreen(text, stdout) || !showInPager(text, env))
    say(terminal, text)
}

interface Screen {
  /** Receives the text to page. */
  readonly page: Terminal
  /** Shows the text so far, through the pager if it does not fit. */
  show(): void
}

/** Buffers output on a real terminal until it is complete; elsewhere writes it at once. */
export function screenOf(terminal: Terminal): Screen {
  if (!(terminal.stdout instanceof WriteStream)) return { page: terminal, show: () => {} }
  let text = ''
  const bufferStream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      text += String(chunk)
      done()
    },
  })
  return {
    page: { ...terminal, stdout: Object.assign(bufferStream, { isTTY: true }) },
    show() {
      if (text !== '') sayPaged(terminal, text.replace(/\n$/, ''))
      text = ''
    },
  }
}

// oxlint-disable-next-line no-control-regex
const SEQUENCE = /\x1b\[[\d;]*m/g

const fitsScreen = (text: string, { columns, rows }: WriteStream): boolean => {
  // A terminal of unknown size gets everything.
  if (!(rows > 0)) return true
  let usedRows = 0
  for (const line of text.split('\n')) {
    usedRows += Math.max(1, Math.ceil(line.replaceAll(SEQUENCE, '').length / Math.max(1, columns)))
    if (usedRows >= rows) return false
  }
  return true
}

/** Returns false if there is no pager and the text is still to be printed. */
function showInPager(text: string, env: Terminal['env']): boolean {
  const pager = env['PAGER'] ?? 'less -R'
  if (pager.trim() === '' || pager.trim() === 'cat') return false
  // The pager handles interrupts with its own key; they must not end this process first.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  try {
    const { error, status } = spawnSync('/bin/sh', ['-c', pager], {
      input: `${text}\n`,
      stdio: ['pipe', 'inherit', 'inherit'],
      env: { LESS: 'FRX', ...env },
    })
    // Codes 126 and 127 come from the shell: nothing was shown.
    return error === undefined || ('code' in error && error.code === 'EPIPE') ? status !== 127 && status !== 126 : false
  } finally {
    process.off('SIGINT', ignore)
  }
}
