import type { Change } from '../../kernel/change.ts'
import { ToolError } from '../../kernel/error.ts'
import type { Validated } from '../process/validate.ts'
import type { Landed, Landing } from './land.ts'
import type { Staging } from './staging.ts'
import type { Transaction, Transactions } from './transactions.ts'
import type { Workspace } from './workspace.ts'

/** What a transaction holds, told after each of its verbs. */
export interface Staged {
  transaction: string
  changed: string[]
  diff?: string
  validators?: Validated[]
}

export interface StageEngine {
  begin(): Staged
  diff(): Staged
  validate(): Promise<Staged>
  commit(): Staged
  rollback(): Staged
}

export interface OpenStage extends StageEngine {
  /** What landing the transaction would change; undefined where this call does not land it. */
  changes(): readonly Change[] | undefined
  /** Carries out what the call decided; undefined where it decided nothing. */
  finish(id: string): Promise<Landed | undefined>
}

/** The verbs of a transaction. They only say what shall be done: it is done when the call commits, so a dry run does nothing. */
export function openStage(
  { transactions, landing, newId }: { readonly transactions: Transactions; readonly landing: Landing; newId(): string },
  open: (layer: Staging) => Workspace,
): OpenStage {
  let decided: 'begin' | 'commit' | 'rollback' | undefined
  let begun: string | undefined

  const current = (): Transaction => {
    const transaction = transactions.current()
    if (transaction) return transaction
    throw new ToolError('not_found', 'There is no transaction', { hint: 'Begin one first: stage {"action":"begin"}' })
  }
  const changesOf = (transaction: Transaction): readonly Change[] => open(transaction.staging).changes()
  const tell = (transaction: Transaction, more: Partial<Staged> = {}): Staged => ({
    transaction: transaction.id,
    changed: changesOf(transaction).map(({ path }) => path),
    ...more,
  })

  return {
    begin() {
      const already = transactions.current()
      if (already && !already.staging.isEmpty())
        throw new ToolError('exists', `Transaction '${already.id}' is still open`, {
          hint: 'Commit it or roll it back first',
        })
      decided = 'begin'
      begun = already?.id ?? newId()
      return { transaction: begun, changed: [] }
    },
    diff() {
      const transaction = current()
      const diff = changesOf(transaction)
        .map(change => change.diff())
        .join('')
      return tell(transaction, { diff })
    },
    async validate() {
      const transaction = current()
      return tell(transaction, { validators: await landing.validate(transaction.staging, changesOf(transaction)) })
    },
    commit() {
      decided = 'commit'
      return tell(current())
    },
    rollback() {
      decided = 'rollback'
      return tell(current())
    },
    changes: () => (decided === 'commit' ? changesOf(current()) : undefined),
    async finish(id) {
      if (decided === undefined) return undefined
      if (decided === 'begin') {
        const transaction = transactions.enter(begun ?? newId())
        transaction.save()
        return { transaction: transaction.id }
      }
      const transaction = current()
      const landed = decided === 'commit' ? await landing.land(transaction.staging, changesOf(transaction), { id }) : {}
      transaction.end()
      return landed
    },
  }
}
