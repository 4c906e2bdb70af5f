import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { ToolError } from '../../kernel/error.ts'
import { isoTime } from '../../kernel/time.ts'
import type {
  AcceptedAnswer,
  ApprovalAnswer,
  PendingApproval,
  PendingApprovals,
  PendingQuestion,
} from '../../kernel/pending-approval.ts'
import { ensureFits } from './fitting-answer.ts'
import { databaseError, inTransaction, openPrivateDatabase } from './private-file.ts'
import { isRunning, thisProcess } from './process-identity.ts'

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS questions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, state TEXT NOT NULL,
    asked_at INTEGER NOT NULL, until INTEGER, pid INTEGER NOT NULL, start TEXT NOT NULL, question TEXT NOT NULL,
    answer TEXT, taken INTEGER NOT NULL DEFAULT 0, closed TEXT, closed_at INTEGER
  ) STRICT;
  CREATE INDEX IF NOT EXISTS by_state ON questions (state);
`

const LIST = { what: 'The list of pending approvals', removed: 'Open questions are then lost, and asked again.' }

/** How long a closed question can still be looked at. */
const KEPT_MS = 86_400_000
/** How long an accepted answer waits for the call of an asker that ended before it used it. */
const UNUSED_MS = 600_000
/** Notices the answers of other processes; one read of a shared memory page. */
const LOOK_EVERY_MS = 50

/** Opens the list of pending approvals of a workspace. Creates its file with the first question. */
export function openPendingApprovals(file: string, now: () => number = Date.now): PendingApprovals {
  let tables: Tables | undefined
  const onChange = new Set<() => void>()

  const use = <T>(work: (on: Tables) => T): T => {
    try {
      return work((tables ??= openPrivateDatabase(file, tablesOf)))
    } catch (error) {
      const expectedError = databaseError({ file, ...LIST }, error)
      if (expectedError === undefined) throw error
      tables?.close()
      tables = undefined
      throw expectedError
    }
  }
  const change = <T>(work: (on: Tables) => T): T => {
    const result = use(on => on.transact(() => work(on)))
    for (const tell of onChange) tell()
    return result
  }
  const isMissing = () => tables === undefined && !existsSync(file)

  /** Closes a question whose time or whose asker has ended. */
  const current = (on: Tables, row: Row | undefined): Row | undefined => {
    const endState = row && endOf(row, now())
    if (!endState) return row
    on.end.run(endState, now(), row.id)
    return on.get(row.id)
  }
  const read = (id: string): Row | undefined => {
    if (isMissing()) return undefined
    const row = use(on => on.get(id))
    return row && endOf(row, now()) ? change(on => current(on, on.get(id))) : row
  }

  return {
    list() {
      if (isMissing()) return []
      const rows = use(on => on.open())
      const live = rows.some(row => endOf(row, now())) ? change(on => on.open().map(row => current(on, row))) : rows
      return live.flatMap(row => (row?.state === 'open' ? [approvalOf(row)] : []))
    },
    get(id) {
      const row = read(id)
      return row && approvalOf(row)
    },
    ask: question =>
      change(on => {
        on.forget.run(now() - KEPT_MS)
        const { until, digest } = question
        const { pid, start } = thisProcess()
        const id = on.newId()
        const due = until === undefined ? null : Date.parse(until)
        on.insert.run(id, digest, now(), due, pid, start, JSON.stringify(question))
        return existingApproval(on.get(id), id)
      }),
    answer(id, answer, by) {
      // Closing what has ended must outlive the refusal, so that it is no part of its transaction.
      const row = read(id)
      if (!row) throw unknown(id)
      return change(on => {
        const still = on.get(id)
        if (!still) throw unknown(id)
        if (still.state !== 'open') throw closedError(approvalOf(still))
        ensureFits(approvalOf(still), answer)
        on.accept.run(JSON.stringify(acceptedOf(answer, by, now())), now(), id)
        return existingApproval(on.get(id), id)
      })
    },
    withdraw(id, why) {
      if (isMissing()) return
      change(on => on.withdraw.run(why, now(), id))
    },
    async wait(id, signal) {
      for (;;) {
        if (signal?.aborted) return undefined
        const row = read(id)
        if (!row) throw unknown(id)
        if (row.state !== 'open') return approvalOf(row)
        await nextLook(onChange, signal)
      }
    },
    take(of) {
      if (isMissing()) return undefined
      return change(on => {
        const row = 'id' in of ? on.get(of.id) : on.unused(of.digest, now()).find(each => !isRunning(each))
        const isFree = row?.state === 'answered' && ('digest' in of || row.use === UNTAKEN)
        if (!isFree || row.answer === undefined) return undefined
        const { pid, start } = thisProcess()
        on.take.run(pid, start, row.id)
        return { ...row.answer, id: row.id }
      })
    },
    use: id => void change(on => on.use.run(id)),
    watch(tell) {
      onChange.add(tell)
      let last: number | undefined
      const look = () => {
        if (isMissing()) return
        const version = use(on => on.version())
        if (last !== undefined && version !== last) tell()
        last = version
      }
      look()
      const timer = setInterval(() => quietly(look), LOOK_EVERY_MS).unref()
      return () => {
        clearInterval(timer)
        onChange.delete(tell)
      }
    },
    close() {
      tables?.close()
      tables = undefined
    },
  }
}

/** No call has the answer; one has it with 1, and one has used it with 2. */
const UNTAKEN = 0

interface Row {
  readonly id: string
  readonly state: PendingApproval['state']
  readonly askedAt: number
  readonly until: number | undefined
  readonly pid: number
  readonly start: string
  readonly question: PendingQuestion
  readonly answer: AcceptedAnswer | undefined
  readonly use: number
  readonly closed: string | undefined
}

interface Tables extends ReturnType<typeof tablesOf> {}

function tablesOf(db: DatabaseSync) {
  db.exec(SCHEMA)
  const byId = db.prepare('SELECT * FROM questions WHERE id = ?')
  const open = db.prepare("SELECT * FROM questions WHERE state = 'open' ORDER BY number")
  const unusedAnswers = db.prepare(
    "SELECT * FROM questions WHERE state = 'answered' AND taken < 2 AND digest = ? AND closed_at > ? ORDER BY number",
  )
  const version = db.prepare('PRAGMA data_version')
  const get = (id: string): Row | undefined => {
    const row = byId.get(id)
    return row && rowOf(row)
  }
  return {
    get,
    open: (): readonly Row[] => open.all().map(rowOf),
    /** Returns the approvals that no call has used. A no would only keep the person from being asked again. */
    unused: (digest: string, now: number): readonly Row[] =>
      unusedAnswers
        .all(digest, now - UNUSED_MS)
        .map(rowOf)
        .filter(({ answer }) => answer?.answer === 'yes' || answer?.answer === 'always'),
    newId(): string {
      for (;;) {
        const id = randomBytes(4).toString('hex')
        if (get(id) === undefined) return id
      }
    },
    insert: db.prepare(
      "INSERT INTO questions (id, digest, state, asked_at, until, pid, start, question) VALUES (?, ?, 'open', ?, ?, ?, ?, ?)",
    ),
    accept: db.prepare(
      "UPDATE questions SET state = 'answered', answer = ?, closed_at = ? WHERE id = ? AND state = 'open'",
    ),
    end: db.prepare("UPDATE questions SET state = ?, closed_at = ? WHERE id = ? AND state = 'open'"),
    withdraw: db.prepare(
      "UPDATE questions SET state = 'withdrawn', closed = ?, closed_at = ? WHERE id = ? AND state = 'open'",
    ),
    // A call that is killed before it has landed leaves its answer to the same call: the process is that of the call.
    take: db.prepare('UPDATE questions SET taken = 1, pid = ?, start = ? WHERE id = ?'),
    use: db.prepare('UPDATE questions SET taken = 2 WHERE id = ?'),
    forget: db.prepare("DELETE FROM questions WHERE state <> 'open' AND closed_at < ?"),
    version: (): number => Number(version.get()?.['data_version']),
    transact: <T>(work: () => T): T => inTransaction(db, work),
    close: () => db.close(),
  }
}

function rowOf(row: Readonly<Record<string, unknown>>): Row {
  const { answer, until, closed } = row
  return {
    id: String(row['id']),
    state: String(row['state']) as Row['state'],
    askedAt: Number(row['asked_at']),
    until: until === null ? undefined : Number(until),
    pid: Number(row['pid']),
    start: String(row['start']),
    question: JSON.parse(String(row['question'])),
    answer: answer === null ? undefined : JSON.parse(String(answer)),
    use: Number(row['taken']),
    closed: closed === null ? undefined : String(closed),
  }
}

/** Returns how an open question has ended by itself; undefined if it has not. */
function endOf({ state, until, ...asker }: Row, now: number): 'expired' | 'abandoned' | undefined {
  if (state !== 'open') return undefined
  if (!isRunning(asker)) return 'abandoned'
  return until !== undefined && until <= now ? 'expired' : undefined
}

const approvalOf = ({ id, state, askedAt, question, answer, closed }: Row): PendingApproval => ({
  ...question,
  id,
  askedAt: isoTime(askedAt),
  state,
  ...(answer && { answer }),
  ...(closed !== undefined && { closed }),
})

const acceptedOf = ({ answer, hunks, scope, reason }: ApprovalAnswer, by: string, at: number): AcceptedAnswer => ({
  answer,
  ...(hunks && { hunks }),
  ...(scope !== undefined && { scope }),
  ...(reason !== undefined && { reason }),
  by,
  at: isoTime(at),
})

/** Waits until another process may have answered, or this one has. */
function nextLook(onChange: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => resolve()
  const timer = setTimeout(look, LOOK_EVERY_MS)
  onChange.add(look)
  signal?.addEventListener('abort', look)
  return promise.finally(() => {
    clearTimeout(timer)
    onChange.delete(look)
    signal?.removeEventListener('abort', look)
  })
}

/** A listener hears of the next change if this look fails. */
function quietly(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
  }
}

function existingApproval(row: Row | undefined, id: string): PendingApproval {
  if (!row) throw unknown(id)
  return approvalOf(row)
}

const unknown = (id: string): ToolError =>
  new ToolError('not_found', `There is no question '${id}' here`, { hint: 'toolwright approve lists the open ones' })

/** Says how a question was closed, and by whom. */
function closedError({ id, state, answer, closed }: PendingApproval): ToolError {
  const how = {
    open: 'is open',
    answered: `was answered ${answer?.answer} by ${answer?.by}`,
    withdrawn: `was withdrawn: ${closed}`,
    expired: 'has expired',
    abandoned: 'was closed because the program that asked has ended',
  }[state]
  return new ToolError('conflict', `The question '${id}' ${how}`, {
    hint: 'Nothing was changed by this answer. toolwright approve lists the open questions',
    details: { state, ...(answer && { by: answer.by, answer: answer.answer }) },
  })
}
