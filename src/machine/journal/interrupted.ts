import { rmSync } from 'node:fs'
import { leftCalls } from './calls.ts'
import type { Journal } from './journal.ts'
import { INTERRUPTED, isCall, isIntent, type CallRecord, type IntentRecord } from './record.ts'

/**
 * Ends the record of every call whose process is gone, in that process's name. Concurrent runs write each record once,
 * because the missing ones are determined under the write lock.
 */
export function endInterrupted(
  directory: string,
  names: readonly string[],
  journal: Journal,
  hasLanded: (id: string) => boolean,
): void {
  for (const { file, ids, after } of leftCalls(directory, names)) {
    if (ids.size > 0) journal.appendAll(() => missing(journal, ids, after, hasLanded), { durable: true })
    rmSync(file, { force: true })
  }
}

function missing(
  journal: Journal,
  ids: ReadonlySet<string>,
  after: number,
  landed: (id: string) => boolean,
): CallRecord[] {
  const open = new Map<string, IntentRecord>()
  for (const record of journal.read({ from: after + 1 }))
    if (isIntent(record) && ids.has(record.id)) open.set(record.id, record)
    else if (isCall(record)) open.delete(record.id)
  return Array.from(open.values(), intent => interruptedRecord(intent, landed(intent.id)))
}

function interruptedRecord(intent: IntentRecord, hasLanded: boolean): CallRecord {
  const { id, session, task, tool, version, input, inputRef, claims, verdict, approval } = intent
  const { startedAt, spent, dryRun, direct } = intent
  return {
    type: 'call',
    id,
    session,
    ...(task !== undefined && { task }),
    tool,
    ...(version !== undefined && { version }),
    ...(input !== undefined && { input }),
    ...(inputRef && { inputRef }),
    claims,
    ...(verdict && { verdict }),
    ...(approval && { approval }),
    ok: false,
    code: INTERRUPTED,
    message: `The process that made this call was gone before it ended: ${whatLanded(intent, hasLanded)}`,
    startedAt,
    durationMs: 0,
    changed: hasLanded ? (intent.changed ?? []) : [],
    ...(spent && { spent }),
    ...(dryRun && { dryRun }),
    ...(direct && { direct }),
    ...(hasLanded && { undo: id }),
  }
}

function whatLanded({ changed, direct, unstaged }: IntentRecord, hasLanded: boolean): string {
  if (direct) return 'it wrote to the workspace directly, and its changes are unknown'
  const stagedOutcome = hasLanded ? 'its staged changes have landed' : 'none of its staged changes has landed'
  if (unstaged) return `${stagedOutcome}; ignored paths and the repository itself may have changed`
  return changed === undefined ? 'nothing of it has landed' : stagedOutcome
}
