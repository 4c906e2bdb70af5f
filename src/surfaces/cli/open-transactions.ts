import { sanitize } from '../../kernel/sanitize.ts'
import { listTransactions } from '../../machine/workspace/transactions.ts'
import { commandLine, sameWorkspace, type OptionValues } from './command-line.ts'
import { shownTime } from './log-line.ts'

/**
 * Describes open transactions, with their staged changes and the command that commits each. Returns none if there are
 * none.
 */
export function openTransactionLines(directory: string, values: OptionValues): string[] {
  const open = listTransactions(directory)
  if (open.length === 0) return []
  return [
    'Open transactions:',
    ...open.flatMap(({ id, at, paths }) => [
      `  ${shownTime(at)}  ${sanitize(id)}  ${paths === undefined ? 'damaged' : stagedPaths(paths)}`,
      `    Land it: ${sanitize(endLine(id, 'commit', values))}`,
      `    Drop it: ${sanitize(endLine(id, 'rollback', values))}`,
    ]),
  ]
}

const stagedPaths = (paths: readonly string[]): string =>
  paths.length === 0 ? 'nothing staged' : paths.map(path => sanitize(path)).join(', ')

/** Returns the command that ends a transaction. */
export const endLine = (id: string, action: 'commit' | 'rollback', values: OptionValues = {}): string =>
  commandLine('stage', [action], { transaction: id, ...sameWorkspace(values) })
