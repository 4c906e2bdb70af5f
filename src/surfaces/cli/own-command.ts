import { basename } from 'node:path'
import { quoteArgv } from '../../kernel/shell-quote.ts'
import type { Terminal } from './terminal.ts'

/** Returns how a person types this program here: in a clone it is not on the PATH. */
export function ownCommand({ env }: Pick<Terminal, 'env'>): string {
  const program = process.argv[1] ?? ''
  const isClone = env['npm_lifecycle_event'] === 'start' || basename(program) === 'cli.cjs'
  return isClone ? quoteArgv(['node', program]) : 'toolwright'
}
