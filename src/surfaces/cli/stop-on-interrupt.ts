import { ToolError } from '../../kernel/error.ts'
import type { Terminal } from './terminal.ts'

interface Interrupt {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Leaves further interrupts to the system. */
  release(): void
}

/** Ctrl-C stops the call, and its record says who did; a second one ends this process at once. */
export function stopOnInterrupt({ env }: Pick<Terminal, 'env'>): Interrupt {
  const controller = new AbortController()
  const who = env['USER'] || 'the person at the terminal'
  const stop = (): void => controller.abort(new ToolError('cancelled', `Stopped by ${who} with Ctrl-C`))
  process.once('SIGINT', stop)
  return { signal: controller.signal, release: () => void process.off('SIGINT', stop) }
}
