import { ToolError } from '../kernel/error.ts'
import { openJournal, type Journal } from './journal/journal.ts'
import { openPayloads, type Payloads } from './journal/payloads.ts'
import { openApprovals, type Approvals } from './state/approvals.ts'
import { workspaceState, type Environment, type WorkspaceState } from './state/directory.ts'
import { openLedger, type Ledger } from './state/ledger.ts'
import { openLock, type Lock } from './state/lock.ts'
import { createUpkeep, type Upkeep } from './state/upkeep.ts'
import { openCommitStore, type CommitStore } from './workspace/commit/commit-store.ts'
import { pruneWorkspace } from './workspace/prune-workspace.ts'
import { recover } from './workspace/commit/recover.ts'
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
  /** Keeps all of this within its bounds. */
  readonly upkeep: Upkeep
  /** Why nothing can be done here any more; undefined while it is open. */
  closed(): ToolError | undefined
  close(): void
}

/** Opens a workspace. A commit that was cut off is brought to its end before anybody sees the files, and the journal says so. */
export function openWorkplace(path: string, env: Environment, now: () => number): Workplace {
  const state = workspaceState(path, env)
  const opened: { close(): void }[] = []
  /** In the order that they were opened, so that whatever fails to open leaves nothing held. */
  const hold = <T extends { close(): void }>(part: T): T => {
    opened.unshift(part)
    return part
  }
  let isOpen = true
  const close = () => {
    isOpen = false
    // A second time these descriptors may be somebody else's.
    for (const part of opened.splice(0)) part.close()
  }
  const closed = () => (isOpen ? undefined : closedError(state.root))
  try {
    const root = hold(openRoot(path))
    const store = hold(openCommitStore(root, state.path))
    const lock = hold(openLock(state.lock))
    const upkeep = createUpkeep(state.home, pruneWorkspace)
    const { segmentBytes, grew } = upkeep
    const places = { lock: state.journalLock, headFile: state.head }
    const journal = hold(openJournal(state.journal, { ...places, now, segmentBytes, rotated: grew }))
    const ledger = hold(openLedger(state.ledger))
    if (store.places().some(place => root.sys.list(place.pending).length > 0))
      for (const recovered of lock.run(() => recover(root, store)))
        journal.append({ type: 'recovery', ...recovered }, { durable: true })
    const approvals = {
      workspace: openApprovals(state.approvals, { lock: state.approvalsLock }),
      user: openApprovals(state.userApprovals, { lock: state.userApprovalsLock }),
    }
    const payloads = openPayloads(state.payloads, { stored: grew })
    return { state, root, store, lock, journal, payloads, ledger, approvals, upkeep, closed, close }
  } catch (error) {
    close()
    throw error
  }
}

const closedError = (root: string): ToolError =>
  new ToolError('unavailable', `The toolkit of ${root} is closed`, { hint: 'Open it again with openToolkit' })
