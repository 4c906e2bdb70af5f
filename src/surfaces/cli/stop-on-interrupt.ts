import { ToolError } from '../../kernel/error.ts'
import type { Terminal } from './terminal.ts'

interface Interrupt {
  /** Aborted by the first Ctrl-C. */
  readonly signal: AbortSignal
  /** Does what Ctrl-C does: a prompt that reads single keys gets it in place of the process. */
  stop(): void
  /** Leaves further interrupts to the system. */
  release(): void
}

/** Ctrl-C stops the work, and its record names the cause. A second Ctrl-C ends this process at once. */
export function stopOnInterrupt({ env }: Pick<Terminal, 'env'>): Interrupt {
  const controller = new AbortController()
  const who = env['USER'] || 'the person at the terminal'
  const stop = (): void => controller.abort(new ToolError('cancelled', `Stopped by ${who} with Ctrl-C`))
  process.once('SIGINT', stop)
  return { signal: controller.signal, stop, release: () => void process.off('SIGINT', stop) }
}
