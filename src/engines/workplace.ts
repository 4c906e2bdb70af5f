import { openJournal, type Journal } from './journal/journal.ts'
import { openPayloads, type Payloads } from './journal/payloads.ts'
import { openApprovals, type Approvals } from './state/approvals.ts'
import { workspaceState, type Environment, type WorkspaceState } from './state/directory.ts'
import { openLedger, type Ledger } from './state/ledger.ts'
import { openLock, type Lock } from './state/lock.ts'
import { openCommitStore, type CommitStore } from './workspace/commit-store.ts'
import { recover } from './workspace/recover.ts'
import { openRoot, type Root } from './workspace/root.ts'

/** One workspace and everything that is kept of it, held open; shared by all sessions of a process. */
export interface Workplace {
  readonly state: WorkspaceState
  readonly root: Root
  readonly store: CommitStore
  /** Held by whoever commits. */
  readonly lock: Lock
  readonly journal: Journal
  readonly payloads: Payloads
  readonly ledger: Ledger
  readonly approvals: { readonly workspace: Approvals; readonly user: Approvals }
  close(): void
}

/** Opens a workspace. A commit that was cut off is brought to its end before anybody sees the files, and the journal says so. */
export function openWorkplace(path: string, env: Environment, now: () => number): Workplace {
  const state = workspaceState(path, env)
  const root = openRoot(path)
  const store = openCommitStore(root, state.path)
  const lock = openLock(state.lock)
  const journal = openJournal(state.journal, { lock: state.journalLock, headFile: state.head, now })
  const ledger = openLedger(state.ledger)
  let closed = false
  const close = () => {
    // A second time these descriptors may be somebody else's.
    if (closed) return
    closed = true
    ledger.close()
    journal.close()
    lock.close()
    store.close()
    root.close()
  }
  try {
    if (store.places().some(place => root.sys.list(place.pending).length > 0))
      for (const recovered of lock.run(() => recover(root, store)))
        journal.append({ type: 'recovery', ...recovered }, { durable: true })
    const approvals = {
      workspace: openApprovals(state.approvals, { lock: state.approvalsLock }),
      user: openApprovals(state.userApprovals, { lock: state.userApprovalsLock }),
    }
    return { state, root, store, lock, journal, payloads: openPayloads(state.payloads), ledger, approvals, close }
  } catch (error) {
    close()
    throw error
  }
}
