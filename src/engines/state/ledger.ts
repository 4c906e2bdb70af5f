import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ToolError } from '../../kernel/error.ts'
import type { Budget } from '../../kernel/tool.ts'
import { makePrivateDirectory } from './private-file.ts'
import { isRunning, thisProcess } from './process-identity.ts'

/** What a budget is counted for: one tool within one named task. */
export interface Scope {
  readonly task: string
  readonly tool: string
}

/** A part of a budget that is held while a call runs. */
export interface Lease {
  readonly id: number
  readonly scope: Scope
  readonly limits: Budget
  readonly calls: number
  readonly bytes: number
}

export interface Usage {
  readonly calls: number
  readonly bytes: number
  /** Calls that run now; they and the bytes they reserved are part of the counts above. */
  readonly concurrent: number
}

/** Budgets that hold over all processes of a workspace and over their restarts, down to the last byte. */
export interface Ledger {
  /** Takes its part before the work is done, or throws `budget_exceeded`. */
  reserve(scope: Scope, ask: { readonly calls: number; readonly bytes: number }, limits: Budget): Lease
  /** Adds bytes to what a lease holds, or throws `budget_exceeded` and adds nothing. */
  take(lease: Lease, bytes: number): Lease
  /** Counts what was really used, by default all that was reserved; a second time it counts nothing. */
  settle(lease: Lease, used?: { readonly bytes?: number; readonly calls?: number }): void
  usage(scope: Scope): Usage
  close(): void
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
`

const SPEND = `INSERT INTO spent (task, tool, calls, bytes) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, bytes = bytes + excluded.bytes`

const USED = `SELECT
    coalesce((SELECT calls FROM spent WHERE task = ?1 AND tool = ?2), 0) + coalesce(sum(calls), 0) AS calls,
    coalesce((SELECT bytes FROM spent WHERE task = ?1 AND tool = ?2), 0) + coalesce(sum(bytes), 0) AS bytes,
    count(*) AS concurrent
  FROM leases WHERE task = ?1 AND tool = ?2`

/** The file is made when something is first reserved or asked: without a budget it costs nothing. */
export function openLedger(file: string): Ledger {
  let opened: Tables | undefined
  const mine = new Set<number>()
  const tables = (): Tables => (opened ??= openTables(file))

  return {
    reserve: (scope, ask, limits) =>
      tables().transact(on => {
        on.buryDead(scope)
        refuseExcess(scope, on.used(scope), { ...ask, concurrent: 1 }, limits)
        const { pid, start } = thisProcess()
        const { lastInsertRowid } = on.insert.run(scope.task, scope.tool, ask.calls, ask.bytes, pid, start)
        mine.add(Number(lastInsertRowid))
        return { id: Number(lastInsertRowid), scope, limits, ...ask }
      }),
    take: (lease, bytes) =>
      tables().transact(on => {
        refuseExcess(lease.scope, on.used(lease.scope), { calls: 0, bytes, concurrent: 0 }, lease.limits)
        const { changes } = on.grow.run(bytes, lease.id)
        if (changes === 0) on.spend.run(lease.scope.task, lease.scope.tool, 0, bytes)
        return { ...lease, bytes: lease.bytes + bytes }
      }),
    settle({ id, scope, bytes }, used = {}) {
      if (!mine.delete(id)) return
      tables().transact(on => {
        const held = on.remove.get(id)
        if (held)
          on.spend.run(scope.task, scope.tool, used.calls ?? held['calls'] ?? 0, used.bytes ?? held['bytes'] ?? 0)
        // Settled for us, as the lease of a process that was taken for dead: only what went beyond it is left to count.
        else on.spend.run(scope.task, scope.tool, 0, Math.max(0, (used.bytes ?? 0) - bytes))
      })
    },
    usage: scope => tables().used(scope),
    close() {
      opened?.close()
      opened = undefined
    },
  }
}

interface Tables extends ReturnType<typeof openTables> {}

function openTables(file: string) {
  makePrivateDirectory(dirname(file))
  makePrivate(file)
  const db = new DatabaseSync(file, { timeout: 10_000 })
  db.exec(SCHEMA)
  const usedBy = db.prepare(USED)
  const leases = db.prepare('SELECT id, calls, bytes, pid, start FROM leases WHERE task = ? AND tool = ? AND pid <> ?')
  const tables = {
    insert: db.prepare('INSERT INTO leases (task, tool, calls, bytes, pid, start) VALUES (?, ?, ?, ?, ?, ?)'),
    grow: db.prepare('UPDATE leases SET bytes = bytes + ? WHERE id = ?'),
    remove: db.prepare('DELETE FROM leases WHERE id = ? RETURNING calls, bytes'),
    spend: db.prepare(SPEND),
    used({ task, tool }: Scope): Usage {
      const row = usedBy.get(task, tool)
      return { calls: Number(row?.['calls']), bytes: Number(row?.['bytes']), concurrent: Number(row?.['concurrent']) }
    },
    /** What a dead process had reserved counts as spent: nobody knows how much of it was used. */
    buryDead({ task, tool }: Scope): void {
      for (const lease of leases.all(task, tool, process.pid)) {
        if (isRunning({ pid: Number(lease['pid']), start: String(lease['start']) })) continue
        tables.remove.get(Number(lease['id']))
        tables.spend.run(task, tool, Number(lease['calls']), Number(lease['bytes']))
      }
    },
    /** One transaction decides: two that ask at the same time do not both get the last part. */
    transact<T>(work: (on: Tables) => T): T {
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = work(tables)
        db.exec('COMMIT')
        return result
      } catch (error) {
        if (db.isTransaction) db.exec('ROLLBACK')
        throw error
      }
    },
    close: () => db.close(),
  }
  return tables
}

/** Only ever made, never opened and closed: closing would drop the locks that this process has on it. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
}

function refuseExcess(scope: Scope, used: Usage, ask: Usage, limits: Budget): void {
  for (const what of ['calls', 'bytes', 'concurrent'] as const) {
    const limit = limits[what]
    if (limit === undefined || ask[what] === 0 || used[what] + ask[what] <= limit) continue
    const unit = what === 'concurrent' ? 'calls at the same time' : what
    throw new ToolError(
      'budget_exceeded',
      `The budget of '${scope.tool}' in task '${scope.task}' is spent: ${used[what]} of ${limit} ${unit} used, ${ask[what]} more asked.`,
      {
        hint: HINTS[what],
        details: { budget: what, used: used[what], limit, asked: ask[what], calls: used.calls, bytes: used.bytes },
      },
    )
  }
}

const HINTS = {
  calls: 'Work with what is known already, or have the budget raised.',
  bytes: 'Ask for less at a time, or have the budget raised.',
  concurrent: 'Wait for a call to end.',
}
