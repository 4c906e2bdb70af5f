import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DEFAULTS } from '../src/config/defaults.ts'
import { openEffects } from '../src/knowledge/code/effects/open-effects.ts'
import { NOTHING_HIDDEN } from '../src/knowledge/code/servers/hidden-files.ts'
import { openServers } from '../src/knowledge/code/servers/open-servers.ts'
import type { Servers } from '../src/knowledge/code/servers/types.ts'
import { openRoot } from '../src/machine/workspace/root.ts'
import { openToolkit } from '../src/toolkit.ts'
import type { Goal, Report, Row } from './bench.ts'
import { generatedPackage } from './generated-package.ts'
import { median, quantile } from './sample.ts'

const SIZES = [300, 3_000] as const
const ROUNDS = { 300: 30, 3000: 10 }
const CHANGED = 'src/base.ts'
const DEADLINE_MS = 300
/** For the call itself, on a machine that does other things too. */
const MARGIN_MS = 100

/** What an edit breaks, warm: when the edited file, its direct importers and everything is judged, and how long the edit waits for it. */
export async function measureEffects(sizes: readonly (typeof SIZES)[number][] = SIZES): Promise<Report> {
  const rows: Row[] = []
  const goals: Goal[] = []
  for (const size of sizes) {
    const files = generatedPackage(size)
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-effects-')))
    try {
      const directory = join(base, 'workspace')
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true })
        writeFileSync(join(directory, path), text)
      }
      const { cold, ...judged } = await judging(directory, files, ROUNDS[size])
      rows.push({ what: `${size} files: first edit, all judged`, cells: { 'p50 ms': Math.round(cold) } })
      for (const [what, taken] of Object.entries(judged)) rows.push(row(`${size} files: ${what} judged`, taken))
      const waited = await editing(directory, base, files, ROUNDS[size])
      rows.push(row(`${size} files: the call of the edit, at most ${DEADLINE_MS} ms for its effects`, waited))
      goals.push({
        what: `an edit among ${size} files waits no longer than its deadline`,
        limit: `p95 ≤ ${DEADLINE_MS + MARGIN_MS} ms`,
        measured: `${Math.round(quantile(waited, 0.95))} ms`,
        met: quantile(waited, 0.95) <= DEADLINE_MS + MARGIN_MS,
      })
    } finally {
      rmSync(base, { recursive: true, force: true })
    }
  }
  return {
    rows,
    goals,
    notes: [`A changed signature that a seventh of the files use; every edit lands before the next`],
  }
}

const row = (what: string, taken: Float64Array): Row => ({
  what,
  cells: { 'p50 ms': Math.round(median(taken)), 'p95 ms': Math.round(quantile(taken, 0.95)) },
})

/** The same function with another signature each time, so that nothing is known from before. */
const textOf = (files: Readonly<Record<string, string>>, round: number): string =>
  (files[CHANGED] ?? '').replace('scale(value: number)', `scale(value: number, by${round}: number)`)

async function judging(directory: string, files: Readonly<Record<string, string>>, rounds: number) {
  const root = openRoot(directory)
  const servers = openServers({ root, env: process.env, off: false, limits: DEFAULTS.commands, configured: [] })
  const direct = new Set(Object.keys(files).filter(path => files[path]?.includes(`from './base'`)))
  const last = { edited: 0, direct: 0 }
  const effects = openEffects({
    root,
    configured: [],
    servers: watched(servers, path => {
      if (path === CHANGED) last.edited = performance.now()
      if (direct.has(path)) last.direct = performance.now()
    }),
  })
  let cold = 0
  const taken = { edited: new Float64Array(rounds), direct: new Float64Array(rounds), all: new Float64Array(rounds) }
  try {
    let before = files[CHANGED] ?? ''
    for (let round = 0; round <= rounds; round++) {
      const after = textOf(files, round)
      const since = performance.now()
      const change = { before: { [CHANGED]: before }, after: { [CHANGED]: after }, changed: [CHANGED] }
      const how = { view: '', hidden: NOTHING_HIDDEN, deadlineMs: 600_000, complete: true }
      const found = await effects.judge({ ...change, ...how })
      if (!found?.complete) throw new Error(`The edit was not judged: ${found?.why}`)
      const all = performance.now() - since
      if (round === 0) cold = all
      else {
        taken.edited[round - 1] = last.edited - since
        taken.direct[round - 1] = last.direct - since
        taken.all[round - 1] = all
      }
      writeFileSync(join(directory, CHANGED), (before = after))
    }
  } finally {
    effects.close()
    await servers.close()
    root.close()
  }
  return { cold, 'the edited file': taken.edited, 'and its importers': taken.direct, 'and everything': taken.all }
}

/** Tells when what is wrong with a file is known. */
function watched(servers: Servers, known: (path: string) => void): Servers {
  return {
    ...servers,
    ask: (path, staged, deadline, work) =>
      servers.ask(path, staged, deadline, server =>
        work({
          ...server,
          async diagnostics(file) {
            const found = await server.diagnostics(file)
            known(file)
            return found
          },
        }),
      ),
  }
}

async function editing(directory: string, base: string, files: Readonly<Record<string, string>>, rounds: number) {
  const env = { ...process.env, TOOLWRIGHT_STATE: join(base, 'state'), TOOLWRIGHT_CONFIG_HOME: join(base, 'config') }
  const kit = await openToolkit({ root: directory, env, resident: 'off', permissions: ['fs:write'] })
  const taken = new Float64Array(rounds)
  try {
    await kit.run('read', { path: CHANGED })
    for (let round = 0; round <= rounds; round++) {
      const content = textOf(files, rounds + 1 + round)
      const since = performance.now()
      // The first one starts the server.
      const effects = round === 0 ? 'complete' : 'quick'
      const { outcome } = await kit.run('write', { path: CHANGED, content }, { effects })
      if (!outcome.ok) throw outcome.error
      if (round > 0) taken[round - 1] = performance.now() - since
    }
  } finally {
    await kit.close()
  }
  return taken
}
