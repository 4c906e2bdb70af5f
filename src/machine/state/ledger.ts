import type { DatabaseSync } from 'node:sqlite'
import { isTool } from '../../kernel/is-tool.ts'
import type { GivenContent, ToolBudget } from '../../kernel/tool.ts'
import { databaseError, inTransaction, openPrivateDatabase } from './private-file.ts'
import { isRunning, thisProcess } from './process-identity.ts'
import { COUNTED, refuseExcess, type Usage } from './refuse-excess.ts'

/** The counted unit: one tool within one task, or within the account of calls that name none. */
interface Scope {
  readonly task: string
  readonly tool: string
}

/** A part of the budgets, held while a call runs. */
export interface Lease {
  readonly id: number
  readonly scope: Scope
  readonly budgets: readonly ToolBudget[]
  readonly calls: number
  readonly bytes: number
}

/** Usage from before the ledger, taken from the journal. */
interface SpentBefore extends Scope {
  readonly calls: number
  readonly bytes: number
  readonly given?: readonly string[]
}

/** Usage of one tool in one task. */
export interface Spent extends Scope, Usage {}

/** Budgets that hold across all processes of a workspace and their restarts, exact to the byte. */
export interface Ledger {
  /** Takes a part of every budget before the work, or throws `budget_exceeded` and takes none. */
  reserve(scope: Scope, ask: { readonly calls: number; readonly bytes: number }, budgets: readonly ToolBudget[]): Lease
  /**
   * Adds bytes and their source to a lease, or throws `budget_exceeded` and adds nothing.
   * For cached content, adds only the bytes that the task has not paid for.
   */
  take(lease: Lease, bytes: number, given?: string, whole?: GivenContent): Lease
  /** Counts the actual usage, by default everything reserved. A second call has no effect. */
  settle(lease: Lease, used?: { readonly bytes?: number; readonly calls?: number }): void
  /** Returns the usage of one tool, or the total of all that a name such as `sage/*` matches. */
  usage(scope: Scope): Usage
  /** Returns everything that counts against a budget, by task and tool. */
  all(): readonly Spent[]
  /**
   * Resets a task's usage, so that its budgets begin anew; running calls stay counted. `tell` receives the usage before
   * the reset takes effect: if it throws, nothing is reset.
   */
  giveBack(task: string, tell: (spent: readonly Spent[]) => void): void
  close(): void
}

/** Begins the accounts of calls that name no task. The name of a task has no slash. */
const UNNAMED = 'default/'

/** Counts the single calls of the command line, which are one piece of work until none was made for an hour. */
export const COMMAND_LINE_ACCOUNT = `${UNNAMED}command-line`

/** Counts the calls of one session that name no task. */
export const accountOf = (session: string): string => `${UNNAMED}${session}`

const HOUR_MS = 3_600_000

/** Returns how long an account that no call used is kept; undefined for a task, which only a reset ends. */
function lastsMs(account: string): number | undefined {
  if (account === COMMAND_LINE_ACCOUNT) return HOUR_MS
  return account.startsWith(UNNAMED) ? 7 * 24 * HOUR_MS : undefined
}

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS spent (
    task TEXT NOT NULL, tool TEXT NOT NULL, calls INTEGER NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (task, tool)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS leases (
    id INTEGER PRIMARY KEY AUTOINCREMENT, task TEXT NOT NULL, tool TEXT NOT NULL,
    calls INTEGER NOT NULL, bytes INTEGER NOT NULL, pid INTEGER NOT NULL, start TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS given (
    task TEXT NOT NULL, tool TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (task, tool, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS paid (
    task TEXT NOT NULL, tool TEXT NOT NULL, name TEXT NOT NULL, content TEXT NOT NULL, bytes INTEGER NOT NULL,
    PRIMARY KEY (task, tool, name)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS last_used (task TEXT PRIMARY KEY, ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`

const SPEND = `INSERT INTO spent (task, tool, calls, bytes) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, bytes = bytes + excluded.bytes`

/** Payments for content that no longer exists do not count. */
const PAY = `INSERT INTO paid (task, tool, name, content, bytes) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET content = excluded.content,
    bytes = CASE WHEN content = excluded.content THEN max(bytes, excluded.bytes) ELSE excluded.bytes END`

/** A few rows per tool; a budget selects them by name. */
const USED = `SELECT tool, calls, bytes, 0 AS concurrent FROM spent WHERE task = ?1
  UNION ALL SELECT tool, sum(calls), sum(bytes), count(*) FROM leases WHERE task = ?1 GROUP BY tool`

const GIVEN = 'SELECT tool, count(*) AS given FROM given WHERE task = ? GROUP BY tool'

const ALL = `SELECT task, tool, sum(calls) AS calls, sum(bytes) AS bytes, sum(concurrent) AS concurrent,
    (SELECT count(*) FROM given WHERE given.task = used.task AND given.tool = used.tool) AS given FROM (
    SELECT task, tool, calls, bytes, 0 AS concurrent FROM spent
    UNION ALL SELECT task, tool, calls, bytes, 1 FROM leases
  ) AS used GROUP BY task, tool ORDER BY task, tool`

const FORGET = `DELETE FROM spent WHERE task = ? RETURNING task, tool, calls, bytes, 0 AS concurrent,
  (SELECT count(*) FROM given WHERE given.task = spent.task AND given.tool = spent.tool) AS given`

/** Creates the file with the first reservation or query, starting from the usage in the journal. */
export function openLedger(
  file: string,
  spentBefore: () => readonly SpentBefore[] = () => [],
  now: () => number = Date.now,
): Ledger {
  let tables: Tables | undefined
  const mine = new Set<number>()
  const use = <T>(work: (on: Tables) => T): T => {
    try {
      return work((tables ??= openTables(file, spentBefore)))
    } catch (error) {
      const expectedError = databaseError({ file, ...LEDGER }, error)
      if (expectedError === undefined) throw error
      // The next request may find it repaired.
      tables?.close()
      tables = undefined
      throw expectedError
    }
  }
  const transact = <T>(work: (on: Tables) => T): T => use(on => on.transact(work))

  return {
    reserve: (scope, ask, budgets) =>
      transact(on => {
        on.buryDead(scope)
        on.endIdle(scope.task, now())
        for (const budget of budgets)
          refuseExcess(on.used({ ...scope, tool: budget.tool }), { ...ask, concurrent: 1 }, scope.task, budget)
        const { pid, start } = thisProcess()
        const { lastInsertRowid } = on.insert.run(scope.task, scope.tool, ask.calls, ask.bytes, pid, start)
        on.touch(scope.task, now())
        mine.add(Number(lastInsertRowid))
        return { id: Number(lastInsertRowid), scope, budgets, ...ask }
      }),
    take: (lease, asked, given, whole) =>
      transact(on => {
        const { task, tool } = lease.scope
        const bytes = asked - (given === undefined ? 0 : Math.min(asked, on.paid(lease.scope, given, whole)))
        for (const budget of lease.budgets)
          refuseExcess(on.used({ task, tool: budget.tool }), { calls: 0, bytes, concurrent: 0 }, task, budget)
        const { changes } = on.grow.run(bytes, lease.id)
        if (changes === 0) on.spend.run(task, tool, 0, bytes)
        if (given !== undefined) on.give.run(task, tool, given)
        if (given !== undefined && whole) on.pay.run(task, tool, given, whole.content, asked)
        return { ...lease, bytes: lease.bytes + bytes }
      }),
    settle({ id, scope, bytes }, used = {}) {
      if (!mine.delete(id)) return
      transact(on => {
        const reservation = on.remove.get(id)
        if (reservation)
          on.spend.run(
            scope.task,
            scope.tool,
            used.calls ?? reservation['calls'] ?? 0,
            used.bytes ?? reservation['bytes'] ?? 0,
          )
        // Already settled, as the lease of a process presumed dead: only usage beyond it remains to count.
        else on.spend.run(scope.task, scope.tool, 0, Math.max(0, (used.bytes ?? 0) - bytes))
      })
    },
    usage: scope => use(on => (on.isIdle(scope.task, now()) ? UNUSED : on.used(scope))),
    all: () => use(on => on.all()),
    giveBack: (task, tell) =>
      transact(on => {
        on.buryDead({ task })
        tell(on.forget(task))
      }),
    close() {
      tables?.close()
      tables = undefined
    },
  }
}

const UNUSED: Usage = { calls: 0, bytes: 0, concurrent: 0 }

interface Tables extends ReturnType<typeof tablesOf> {}

const openTables = (file: string, spentBefore: () => readonly SpentBefore[]) =>
  openPrivateDatabase(file, db => tablesOf(db, spentBefore))

function tablesOf(db: DatabaseSync, spentBefore: () => readonly SpentBefore[]) {
  db.exec(SCHEMA)
  const usedBy = db.prepare(USED)
  const givenBy = db.prepare(GIVEN)
  const everything = db.prepare(ALL)
  const forget = db.prepare(FORGET)
  const takeBack = ['given', 'paid', 'last_used'].map(table => db.prepare(`DELETE FROM ${table} WHERE task = ?`))
  const lastUsed = db.prepare('SELECT task, ms FROM last_used')
  const useNow = db.prepare('INSERT INTO last_used (task, ms) VALUES (?, ?) ON CONFLICT DO UPDATE SET ms = excluded.ms')
  const isIdleSince = (task: string, ms: number, now: number): boolean => now - ms > (lastsMs(task) ?? Infinity)
  const paidFor = db.prepare('SELECT bytes FROM paid WHERE task = ? AND tool = ? AND name = ? AND content = ?')
  const leases = db.prepare('SELECT id, tool, calls, bytes, pid, start FROM leases WHERE task = ? AND pid <> ?')
  const tables = {
    insert: db.prepare('INSERT INTO leases (task, tool, calls, bytes, pid, start) VALUES (?, ?, ?, ?, ?, ?)'),
    grow: db.prepare('UPDATE leases SET bytes = bytes + ? WHERE id = ?'),
    remove: db.prepare('DELETE FROM leases WHERE id = ? RETURNING calls, bytes'),
    spend: db.prepare(SPEND),
    pay: db.prepare(PAY),
    /** Returns what the task has paid for cached content. Other content must be paid in full. */
    paid: ({ task, tool }: Scope, name: string, whole: GivenContent | undefined): number =>
      whole?.isRemembered ? Number(paidFor.get(task, tool, name, whole.content)?.['bytes'] ?? 0) : 0,
    give: db.prepare('INSERT OR IGNORE INTO given (task, tool, name) VALUES (?, ?, ?)'),
    forget(task: string): readonly Spent[] {
      const usage = forget.all(task).map(spentIn)
      for (const table of takeBack) table.run(task)
      return usage
    },
    /** Notes the use of an account that ends when it is idle. */
    touch(task: string, now: number): void {
      if (lastsMs(task) !== undefined) useNow.run(task, now)
    },
    isIdle: (task: string, now: number): boolean =>
      lastsMs(task) !== undefined &&
      lastUsed.all().some(row => row['task'] === task && isIdleSince(task, Number(row['ms']), now)),
    /** Forgets this account and others that were idle for too long, when one that can be idle is used. */
    endIdle(task: string, now: number): void {
      if (lastsMs(task) === undefined) return
      for (const row of lastUsed.all())
        if (isIdleSince(String(row['task']), Number(row['ms']), now)) tables.forget(String(row['task']))
    },
    all: (): readonly Spent[] => everything.all().map(spentIn),
    used({ task, tool }: Scope): Usage {
      const total = { calls: 0, bytes: 0, concurrent: 0 }
      let givenBytes = 0
      for (const row of usedBy.all(task))
        if (isTool(tool, String(row['tool']))) for (const what of COUNTED) total[what] += Number(row[what])
      for (const row of givenBy.all(task)) if (isTool(tool, String(row['tool']))) givenBytes += Number(row['given'])
      return { ...total, ...(givenBytes > 0 && { given: givenBytes }) }
    },
    /** Counts a dead process's reservation as spent, since its real usage is unknown. */
    buryDead({ task }: Pick<Scope, 'task'>): void {
      for (const lease of leases.all(task, process.pid)) {
        if (isRunning({ pid: Number(lease['pid']), start: String(lease['start']) })) continue
        tables.remove.get(Number(lease['id']))
        tables.spend.run(task, String(lease['tool']), Number(lease['calls']), Number(lease['bytes']))
      }
    },
    transact: <T>(work: (on: Tables) => T): T => inTransaction(db, () => work(tables)),
    close: () => db.close(),
  }
  const isFilled = () => db.prepare('PRAGMA user_version').get()?.['user_version'] !== 0
  if (!isFilled())
    tables.transact(({ spend, give }) => {
      // Two processes may open it at the same time.
      if (isFilled()) return
      for (const { task, tool, calls, bytes, given = [] } of spentBefore()) {
        spend.run(task, tool, calls, bytes)
        for (const name of given) give.run(task, tool, name)
      }
      db.exec('PRAGMA user_version = 1')
    })
  return tables
}

const LEDGER = { what: 'The ledger of budgets', removed: 'Usage is then counted again from the journal.' }

const spentIn = (row: Readonly<Record<string, unknown>>): Spent => ({
  task: String(row['task']),
  tool: String(row['tool']),
  calls: Number(row['calls']),
  bytes: Number(row['bytes']),
  concurrent: Number(row['concurrent']),
  ...(Number(row['given']) > 0 && { given: Number(row['given']) }),
})
