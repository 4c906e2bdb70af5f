import { visibleDiff, type Change } from '../../kernel/change.ts'
import { ToolError } from '../../kernel/error.ts'
import type { LandedPart } from '../../kernel/hunks.ts'
import { acceptPart } from './accept-part.ts'
import type { CallScope } from './call-scope.ts'
import type { Validated } from './validators.ts'
import type { Landed, Landing } from './land.ts'
import { repositoryChange } from './repository-change.ts'
import type { Root } from './root.ts'
import { createStaging, type Staging } from './staging.ts'
import type { Transaction, Transactions } from './transactions.ts'
import type { Workspace } from './workspace.ts'

/** Contents of a transaction, reported after each of its operations. */
interface Staged {
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
  /** Returns the changes that landing the transaction would make, or undefined if this call does not land it. */
  changes(): readonly Change[] | undefined
  /** Returns what it would change in the repository. */
  repository(): readonly Change[] | undefined
  /** Leaves only these hunks of what the call lands; undefined if it lands no transaction. */
  accept(hunks: readonly number[]): readonly LandedPart[] | undefined
  /** Carries out the call's decision. Returns undefined without one. */
  finish(id: string, begin: (changes: readonly Change[]) => void): Promise<Landed | undefined>
}

/**
 * The operations of a transaction. They only record a decision, carried out when the call commits, so a dry run does
 * nothing.
 */
export function openStage(
  {
    root,
    transactions,
    landing,
    newId,
  }: { readonly root: Root; readonly transactions: Transactions; readonly landing: Landing; newId(): string },
  open: (layer: Staging) => Workspace,
  { mayRead, preview }: Pick<CallScope, 'mayRead' | 'preview'>,
): OpenStage {
  let decision: 'begin' | 'commit' | 'rollback' | undefined
  let begun: string | undefined
  let acceptedStaging: Staging | undefined

  const current = (): Transaction => {
    const transaction = transactions.current()
    if (!transaction) throw new ToolError('not_found', 'There is no transaction', { hint: BEGIN })
    // A mistyped id must not pass for an empty transaction.
    if (!transaction.isBegun())
      throw new ToolError('not_found', `There is no transaction '${transaction.id}'`, { hint: BEGIN })
    return transaction
  }
  /** What lands of the transaction; all of it unless a person accepted only a part. */
  const landingOf = (transaction: Transaction): Staging => acceptedStaging ?? transaction.staging()
  const changesOf = (transaction: Transaction): readonly Change[] => open(landingOf(transaction)).changes()
  const repositoryOf = (transaction: Transaction): readonly Change[] => repositoryChange(root, landingOf(transaction))
  const tell = (transaction: Transaction, more: Partial<Staged> = {}): Staged => ({
    transaction: transaction.id,
    changed: pathsOf(changesOf(transaction)),
    ...more,
  })

  return {
    begin() {
      const already = transactions.current()
      if (already && !already.staging().isEmpty())
        throw new ToolError('exists', `Transaction '${already.id}' is still open`, {
          hint: 'Commit it or roll it back first',
        })
      decision = 'begin'
      begun = already?.id ?? newId()
      return { transaction: begun, changed: [] }
    },
    diff() {
      const transaction = current()
      const changes = [...changesOf(transaction), ...repositoryOf(transaction)]
      return tell(transaction, { diff: visibleDiff(changes, mayRead) })
    },
    async validate() {
      const transaction = current()
      // Validators run staged content, which may not be approved yet.
      if (preview) return tell(transaction)
      return tell(transaction, { validators: await landing.validate(transaction.staging(), changesOf(transaction)) })
    },
    commit() {
      decision = 'commit'
      return tell(current())
    },
    rollback() {
      const transaction = current()
      decision = 'rollback'
      return { transaction: transaction.id, changed: whatIsLost(transaction) }
    },
    changes: () => (decision === 'commit' ? changesOf(current()) : undefined),
    repository: () => (decision === 'commit' ? repositoryOf(current()) : undefined),
    accept(hunks) {
      if (decision !== 'commit') return undefined
      acceptedStaging = createStaging()
      for (const [path, { base, state }] of current().staging().entries()) acceptedStaging.set(path, base, state)
      return acceptPart(root, acceptedStaging, hunks)
    },
    async finish(id, begin) {
      if (decision === undefined) return undefined
      if (decision === 'begin') {
        const transaction = transactions.enter(begun ?? newId())
        transaction.begin()
        return { transaction: transaction.id }
      }
      const transaction = current()
      if (decision === 'rollback') {
        transaction.forget()
        return {}
      }
      const snapshot = transaction.snapshot()
      const changes = changesOf(transaction)
      const outcome = await landing.land(landingOf(transaction), changes, { id, begin: () => begin(changes) })
      if (transaction.end(snapshot)) return outcome
      return { ...outcome, warnings: [...(outcome.warnings ?? []), stillOpen(transaction.id)] }
    },
  }

  /** A damaged transaction can still be discarded. */
  function whatIsLost(transaction: Transaction): string[] {
    try {
      return pathsOf(changesOf(transaction))
    } catch (error) {
      if (error instanceof ToolError && error.code === 'io') return []
      throw error
    }
  }
}

const BEGIN = 'Begin one first: stage begin'

const pathsOf = (changes: readonly Change[]): string[] => changes.map(({ path }) => path)

const stillOpen = (id: string): string =>
  `Transaction '${id}' is still open: more was staged in it while this was committed`
