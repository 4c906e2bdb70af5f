import type { Terminal } from './terminal.ts'

const QUIET_MS = 30
const MOST_MS = 1_000
const INTERRUPT = 0x03

/**
 * Discards input typed before a question was shown, because it does not answer it. Returns false if the person
 * interrupts meanwhile.
 */
export async function discardTyped({ stdin }: Pick<Terminal, 'stdin'>): Promise<boolean> {
  if (!isRawable(stdin)) return true
  let isWanted = true
  let last = performance.now()
  const since = last
  const discard = (chunk: Buffer) => {
    last = performance.now()
    if (chunk.includes(INTERRUPT)) isWanted = false
  }
  // Only this mode returns an unfinished line.
  stdin.setRawMode(true)
  stdin.on('data', discard)
  try {
    while (performance.now() - last < QUIET_MS && performance.now() - since < MOST_MS)
      await new Promise(resolve => setTimeout(resolve, QUIET_MS / 3))
  } finally {
    stdin.off('data', discard)
    stdin.pause()
    stdin.setRawMode(false)
  }
  return isWanted
}

type Rawable = Terminal['stdin'] & { setRawMode(on: boolean): unknown }

const isRawable = (stdin: Terminal['stdin']): stdin is Rawable =>
  'setRawMode' in stdin && typeof stdin.setRawMode === 'function'
