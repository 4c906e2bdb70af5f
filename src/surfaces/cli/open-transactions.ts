import { inert } from '../../kernel/inert.ts'
import { listTransactions } from '../../machine/workspace/transactions.ts'
import { shownTime } from './log-line.ts'

/** The transactions that nobody has ended, with what is staged in each and how it lands; none where there are none. */
export function openTransactionLines(directory: string): string[] {
  const open = listTransactions(directory)
  if (open.length === 0) return []
  return [
    'Open transactions:',
    ...open.flatMap(({ id, at, paths }) => [
      `  ${shownTime(at)}  ${inert(id)}  ${paths === undefined ? 'damaged' : staged(paths)}`,
      `    Land it: ${inert(endLine(id, 'commit'))}`,
      `    Forget it: ${inert(endLine(id, 'rollback'))}`,
    ]),
  ]
}

const staged = (paths: readonly string[]): string =>
  paths.length === 0 ? 'nothing staged' : paths.map(path => inert(path)).join(', ')

/** The command that ends a transaction. */
export const endLine = (id: string, action: 'commit' | 'rollback'): string =>
  `toolwright stage ${action} --transaction ${id}`
