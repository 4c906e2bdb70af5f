import { existsSync, readdirSync } from 'node:fs'
import { ToolError } from '../kernel/error.ts'
import type { PendingApprovals } from '../kernel/pending-approval.ts'
import { callFiles, openCalls, type Calls } from './journal/calls.ts'
import { openJournal, type Journal } from './journal/journal.ts'
import { spentIn } from './journal/record.ts'
import { openPayloads, type Payloads } from './journal/payloads.ts'
import type { Denials } from './state/denials.ts'
import { openApprovals, type Approvals } from './state/approvals.ts'
import { workspaceState, type Environment, type WorkspaceState } from './state/directory.ts'
import { openLedger, type Ledger } from './state/ledger.ts'
import { openLock, type Lock } from './state/lock.ts'
import { createUpkeep, type Upkeep } from './upkeep/upkeep.ts'
import { openCommitStore, type CommitStore } from './workspace/commit/commit-store.ts'
import { listUndo } from './workspace/commit/list-undo.ts'
import { openRoot, settleBy, type Root } from './workspace/root.ts'

/** One open workspace with its stored state; shared by all sessions of a process. */
export interface OpenWorkspace {
  readonly state: WorkspaceState
  readonly root: Root
  readonly store: CommitStore
  /** Held during a commit. */
  readonly lock: Lock
  readonly journal: Journal
  /** The records of its calls. */
  readonly calls: Calls
  readonly payloads: Payloads
  readonly ledger: Ledger
  /** Opens the list of questions that wait for a person, of all processes; loaded on demand, because most calls ask nothing. */
  pending(): Promise<PendingApprovals>
  readonly approvals: { readonly workspace: Approvals; readonly user: Approvals }
  /** Reports whether deny rules are stored, or were. */
  hasDenials(): boolean
  /** Opens the stored deny rules; loaded on demand, because most workspaces have none. */
  denials(): Promise<Shelves>
  /** Keeps all of this within its limits. */
  readonly upkeep: Upkeep
  /** Returns why the workspace is unusable; undefined while it is open. */
  closed(): ToolError | undefined
  close(): void
}

/** Stored deny rules by their scope. */
type Shelves = Readonly<Record<'workspace' | 'user', Denials>>

/**
 * Opens a workspace. First resolves an interrupted commit, before anything reads the files, and records it in the
 * journal.
 */
export async function openWorkspaceAt(path: string, env: Environment, now: () => number): Promise<OpenWorkspace> {
  const state = workspaceState(path, env)
  const openParts: { close(): void }[] = []
  /** In the order of opening, so that a failure to open leaves nothing held. */
  const hold = <T extends { close(): void }>(part: T): T => {
    openParts.unshift(part)
    return part
  }
  let isOpen = true
  const close = () => {
    isOpen = false
    // On a second close these descriptors may belong to other files.
    for (const part of openParts.splice(0)) part.close()
  }
  const closed = () => (isOpen ? undefined : closedError(state.root))
  try {
    const heldRoot = hold(openRoot(path))
    const store = hold(openCommitStore(heldRoot, state.path))
    const lock = hold(openLock(state.lock))
    const root = settleBy(lock, heldRoot)
    const upkeep = createUpkeep(state.home)
    const { segmentBytes, grew } = upkeep
    const places = { lock: state.journalLock, headFile: state.head }
    const journal = hold(openJournal(state.journal, { ...places, now, segmentBytes, rotated: grew }))
    const calls = hold(openCalls(state.calls, journal))
    const ledger = hold(openLedger(state.ledger, () => spentIn(journal.read())))
    const pending = pendingOf(state, hold)
    if (store.places().some(place => root.sys.list(place.pending).length > 0)) {
      const { recover } = await import('./workspace/commit/recover.ts')
      for (const recovery of lock.run(() => recover(root, store)))
        journal.append({ type: 'recovery', ...recovery }, { durable: true })
    }
    if (existsSync(state.landings) && readdirSync(state.landings).length > 0) {
      const { completeLandings } = await import('./process/overlay/pending-landing.ts')
      const isLanded = (id: string): boolean => listUndo(store).some(commit => commit.id === id)
      for (const landing of lock.run(() => completeLandings(root, state.landings, isLanded)))
        orLater(() => journal.append({ type: 'recovery', ...landing }, { durable: true }))
    }
    // Swept now: leftovers of a dead process's background command must not wait for the next one.
    if (existsSync(state.background)) {
      const { sweepAbandoned } = await import('./process/background-mark.ts')
      const warnings = sweepAbandoned(root, state.background)
      if (warnings.length > 0) orLater(() => journal.append({ type: 'sweep', warnings }, { durable: true }))
    }
    const openCallFiles = callFiles(state.calls)
    if (openCallFiles.length > 0) {
      const { endInterrupted } = await import('./journal/interrupted.ts')
      orLater(() =>
        endInterrupted(state.calls, openCallFiles, journal, id => listUndo(store).some(commit => commit.id === id)),
      )
    }
    const approvals = {
      workspace: openApprovals(state.approvals, { lock: state.approvalsLock }),
      user: openApprovals(state.userApprovals, { lock: state.userApprovalsLock }),
    }
    let opening: Promise<Shelves> | undefined
    const hasDenials = () => opening !== undefined || existsSync(state.denials) || existsSync(state.userDenials)
    const denials = () => (opening ??= denialsOf(state))
    const payloads = openPayloads(state.payloads, { stored: grew })
    const records = { journal, calls, payloads, ledger, pending, approvals, hasDenials, denials, upkeep }
    return { state, root, store, lock, ...records, closed, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Opens the list once, and not after the workspace is closed. */
function pendingOf(
  { pending: file, root }: WorkspaceState,
  hold: (part: { close(): void }) => unknown,
): OpenWorkspace['pending'] {
  let isOpen = true
  let opening: Promise<PendingApprovals> | undefined
  let openList: PendingApprovals | undefined
  hold({
    close() {
      isOpen = false
      openList?.close()
    },
  })
  const open = async () => {
    const { openPendingApprovals } = await import('./state/pending-approvals.ts')
    if (!isOpen) throw closedError(root)
    return (openList = openPendingApprovals(file))
  }
  return () => (opening ??= open())
}

async function denialsOf(state: WorkspaceState): Promise<Shelves> {
  const { openDenials } = await import('./state/denials.ts')
  return {
    workspace: openDenials(state.denials, { lock: state.approvalsLock }),
    user: openDenials(state.userDenials, { lock: state.userApprovalsLock }),
  }
}

/** Without a writable journal nothing can land either; the missing record is written later. */
function orLater(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ToolError) && !(error instanceof Error && 'code' in error)) throw error
  }
}

const closedError = (root: string): ToolError =>
  new ToolError('unavailable', `The toolkit of ${root} is closed`, { hint: 'Open it again with openToolkit' })
