import type { JournalRecord } from '../../machine/journal/chain.ts'
import { isCall } from '../../machine/journal/record.ts'
import { newestFirst } from '../../machine/journal/segments.ts'
import { undoneCommits } from '../../machine/workspace/commit/list-undo.ts'
import { sanitize } from '../../kernel/sanitize.ts'
import type { Toolkit } from '../../toolkit.ts'
import type { Paint } from '../render/paint.ts'
import type { OptionValues } from './command-line.ts'
import { logLines, shownTime } from './log-line.ts'
import { openTransactionLines } from './open-transactions.ts'

/** Lists changes that can be undone, the newest first, in the format of `toolwright log`. */
export function undoListLines(kit: Toolkit, paint: Paint, values: OptionValues): string[] {
  const commits = kit.commits()
  const open = openTransactionLines(kit.state.transactions, values)
  const calls = callsOf(kit, new Set(commits.map(({ id }) => id)))
  const undoneIds = undoneCommits(kit.workspace.store)
  const lines = commits.flatMap(({ id, at, paths }) => {
    const by = undoneIds.get(id)
    const undone = by === undefined ? '' : paint('yellow', ` already undone by ${by}`)
    const call = calls.get(id)
    const files = paths.map(path => sanitize(path)).join(', ')
    const [first = '', ...more] = call ? logLines(call, paint, { id: false }) : [`${shownTime(at)}  changed ${files}`]
    return [`${id}  ${first}${undone}`, ...more]
  })
  return [...(lines.length === 0 ? ['There is nothing to undo.'] : lines), ...(open.length > 0 ? ['', ...open] : [])]
}

/** Returns the calls that made these commits, by commit. */
function callsOf({ state }: Toolkit, wanted: Set<string>): ReadonlyMap<string, JournalRecord> {
  const calls = new Map<string, JournalRecord>()
  for (const record of newestFirst(state.journal)) {
    if (wanted.size === calls.size) break
    if (isCall(record) && record.undo !== undefined && wanted.has(record.undo)) calls.set(record.undo, record)
  }
  return calls
}
