import { closeSync, constants, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openJournal } from '../src/machine/journal/journal.ts'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { times, type Bench } from './bench.ts'
import { interleave, median, quantile } from './sample.ts'

const RECORDS = 20_000
const BATCH = 100
const DURABLE = 500

/** A record as a read leaves it. */
const entry = {
  type: 'call',
  id: 'mhzq2k3v0001a2b3c',
  session: 'mhzq2k3v0000x9y8z',
  task: 'default',
  tool: 'toolwright/read',
  version: '1.0.0',
  input: { path: 'src/machine/journal/journal.ts', from: 1, to: 40 },
  claims: [{ action: 'read', resource: 'src/machine/journal/journal.ts' }],
  verdict: { verdict: 'allow', why: 'read src/machine/journal/journal.ts: no rule, and the default for read is allow' },
  ok: true,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 0.123,
  changed: [],
}

/** What it costs to leave a record, chained by hash and shared with other processes. */
export const journal: Bench = {
  about: 'appending to the journal, one by one, in batches and on disk for certain, beside plain writes',
  async run() {
    await using workspace = temporaryWorkspace()
    const own = openJournal(join(workspace.base, 'journal'), { lock: join(workspace.base, 'journal.lock') })
    const plain = openSync(join(workspace.base, 'plain'), constants.O_RDWR | constants.O_APPEND | constants.O_CREAT)
    const line = `${JSON.stringify(entry)}\n`.padStart(JSON.stringify(entry).length + 200)
    const batch = Array.from({ length: BATCH }, () => entry)
    try {
      const single = await interleave(
        { append: () => own.append(entry), 'plain write': () => writeSync(plain, line) },
        { rounds: RECORDS, warmUp: 2_000 },
      )
      const many = await interleave(
        { appendAll: () => own.appendAll(batch), 'plain write': () => writeSync(plain, line.repeat(BATCH)) },
        { rounds: RECORDS / BATCH, warmUp: 20 },
      )
      const synced = await interleave(
        {
          durable: () => own.append(entry, { durable: true }),
          'plain write': () => {
            writeSync(plain, line)
            fdatasyncSync(plain)
          },
        },
        { rounds: DURABLE, warmUp: 20 },
      )
      const perSecond = (BATCH / median(many.appendAll)) * 1e6
      return {
        rows: [
          row('append', single.append, single['plain write'], 1),
          row(`appendAll, ${BATCH} at a time, each`, many.appendAll, many['plain write'], BATCH),
          row('append, durable', synced.durable, synced['plain write'], 1),
        ],
        notes: [`a record of ${line.length} bytes; the plain write is of the same size, without chain, hash and lock`],
        goals: [
          {
            what: 'records a second, in batches',
            limit: '≥ 150,000',
            measured: Math.round(perSecond).toLocaleString('en'),
            met: perSecond >= 150_000,
          },
        ],
      }
    } finally {
      own.close()
      closeSync(plain)
    }
  },
}

const row = (what: string, ours: Float64Array, plain: Float64Array, of: number) => ({
  what,
  cells: {
    'p50 µs': quantile(ours, 0.5) / of,
    'p95 µs': quantile(ours, 0.95) / of,
    'plain p50 µs': median(plain) / of,
    ratio: times(median(ours) / median(plain)),
    'records a second': (of / median(ours)) * 1e6,
  },
})
