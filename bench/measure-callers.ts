import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureResident } from '../src/service/start.ts'
import { openToolkit, type Toolkit } from '../src/toolkit.ts'
import { times, type Report } from './bench.ts'
import { unpackedPackage } from './corpora.ts'
import { ripgrep } from './peers.ts'
import { rawServer, type Target } from './raw-server.ts'
import { interleave, median, quantile } from './sample.ts'

const PACKAGE = 'effect@3.19.0'
const COLD_ROUNDS = 3
const TARGETS = 24
const TSCONFIG = {
  compilerOptions: { module: 'esnext', moduleResolution: 'bundler', target: 'esnext', strict: true, noEmit: true },
  include: ['src'],
}

/** Who calls a function: from cold and warm, here and by way of the process of the workspace, beside the bare server and a search. */
export async function measureCallers(): Promise<Report> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-code-')))
  const directory = join(base, 'workspace')
  try {
    mkdirSync(directory)
    cpSync(join(unpackedPackage(PACKAGE), 'src'), join(directory, 'src'), { recursive: true })
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(TSCONFIG))
    const targets = targetsIn(directory)
    const open = (resident: 'off' | 'use') =>
      openToolkit({ root: directory, resident, env: { ...process.env, TOOLWRIGHT_STATE: join(base, 'state') } })
    return report(await cold(directory, open, targets), await warm(directory, base, open, targets), targets.length)
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

type Open = (resident: 'off' | 'use') => Promise<Toolkit>

async function cold(directory: string, open: Open, [target]: readonly Target[]) {
  if (!target) throw new Error('No functions were found')
  return interleave(
    {
      async ours() {
        const kit = await open('off')
        await callers(kit, target)
        await kit.close()
      },
      async raw() {
        await using server = await rawServer(directory)
        await server.callers(target)
      },
    },
    { rounds: COLD_ROUNDS, warmUp: 1 },
  )
}

async function warm(directory: string, base: string, open: Open, targets: readonly Target[]) {
  const kit = await open('off')
  const { state, config } = kit
  const settings = { root: directory, key: state.key, ...config.config.resident }
  const env = { ...process.env, TOOLWRIGHT_STATE: join(base, 'state') }
  const line = await ensureResident({ state: state.path, env, settings, timeoutMs: 60_000 })
  const other = await open('use')
  const server = await rawServer(directory)
  try {
    const turn = { ours: 0, resident: 0, raw: 0, ripgrep: 0 }
    const next = (name: keyof typeof turn): Target => {
      const target = targets[turn[name]++ % targets.length]
      if (!target) throw new Error('No functions were found')
      return target
    }
    return await interleave(
      {
        ours: () => callers(kit, next('ours')),
        resident: () => callers(other, next('resident')),
        raw: () => server.callers(next('raw')),
        ripgrep: () => ripgrep(directory, { pattern: String.raw`\b${next('ripgrep').name}\b`, regex: true }),
      },
      { rounds: targets.length, warmUp: targets.length },
    )
  } finally {
    await server[Symbol.asyncDispose]()
    process.kill(line.pid, 'SIGTERM')
    await Promise.all([kit.close(), other.close()])
  }
}

async function callers(kit: Toolkit, { name, path }: Target): Promise<void> {
  const { outcome } = await kit.run('callers', { name, path, depth: 1 })
  if (!outcome.ok) throw outcome.error
}

/** The sources of Debian's python3-django, where they are installed. */
const DJANGO = '/usr/lib/python3/dist-packages/django'
const PYTHON = { name: 'QuerySet.filter', path: 'django/db/models/query.py' }

/** One question to pyright on a large tree: from the text at once, when the server is there, and when it is warm. */
export async function measureSlowServer(): Promise<Report> {
  if (!existsSync(DJANGO)) return { rows: [], goals: [], notes: [`A slow server is measured where ${DJANGO} is`] }
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-bench-django-')))
  try {
    const root = join(base, 'workspace')
    mkdirSync(root)
    cpSync(DJANGO, join(root, 'django'), { recursive: true, dereference: true })
    const env = { ...process.env, TOOLWRIGHT_STATE: join(base, 'state') }
    const kit = await openToolkit({ root, resident: 'off', env })
    const asked = async (waitMs: number) => {
      const since = performance.now()
      const { outcome } = await kit.run('callers', { ...PYTHON, depth: 1, waitMs })
      if (!outcome.ok) throw outcome.error
      const { basis, provisional = false, total } = Object(outcome.data)
      return { ms: performance.now() - since, basis, provisional, total }
    }
    try {
      const all = { provisional: await asked(0), cold: await asked(600_000), warm: await asked(600_000) }
      return {
        rows: Object.entries(all).map(([what, { ms, basis, total }]) => ({
          what: `callers of QuerySet.filter in django, ${what}`,
          cells: { 'p50 ms': Math.round(ms), basis, calls: total },
        })),
        notes: ['django: cold goes on where the provisional question had left the server'],
        goals: [
          {
            what: 'a server that still loads is answered for from the text, and answers when it is there',
            limit: 'syntax, then pyright',
            measured: `${all.provisional.basis}, then ${all.cold.basis}`,
            met: all.provisional.provisional && all.cold.basis === 'pyright' && all.warm.basis === 'pyright',
          },
        ],
      }
    } finally {
      await kit.close()
    }
  } finally {
    rmSync(base, { recursive: true, force: true })
  }
}

/** Functions from all over the package, the same in each run. */
function targetsIn(directory: string): readonly Target[] {
  const all = globSync('src/**/*.ts', { cwd: directory })
    .toSorted()
    .flatMap(path =>
      readFileSync(join(directory, path), 'utf8')
        .split('\n')
        .flatMap((text, line): Target[] => {
          const [, before = '', name] = /^(export function |export const (?=\w+ = \())(\w+)/.exec(text) ?? []
          return name === undefined ? [] : [{ name, path, line, character: before.length }]
        }),
    )
  const step = Math.max(1, Math.floor(all.length / TARGETS))
  return all.filter((_, at) => at % step === 0).slice(0, TARGETS)
}

type Samples<Name extends string> = Readonly<Record<Name, Float64Array>>

function report(
  start: Samples<'ours' | 'raw'>,
  asked: Samples<'ours' | 'resident' | 'raw' | 'ripgrep'>,
  functions: number,
): Report {
  const ms = (samples: Float64Array, part: number) => quantile(samples, part) / 1000
  const cells = (samples: Float64Array, peer: Float64Array) => ({
    'p50 ms': ms(samples, 0.5),
    'p95 ms': ms(samples, 0.95),
    'beside the bare server': times(median(samples) / median(peer)),
  })
  const [coldTimes, warmTimes] = [median(start.ours) / median(start.raw), median(asked.ours) / median(asked.raw)]
  return {
    rows: [
      { what: 'callers, cold: start to answer', cells: cells(start.ours, start.raw) },
      { what: '  tsc --lsp, driven directly', cells: cells(start.raw, start.raw) },
      { what: `callers, warm: ${functions} functions`, cells: cells(asked.ours, asked.raw) },
      { what: '  by way of the resident process', cells: cells(asked.resident, asked.raw) },
      { what: '  tsc --lsp, driven directly', cells: cells(asked.raw, asked.raw) },
      { what: '  ripgrep for the name (lines, not callers)', cells: cells(asked.ripgrep, asked.raw) },
    ],
    notes: [`callers: ${PACKAGE}, every call through the whole of a toolkit: policy, journal, sandboxed server`],
    goals: [
      { what: 'cold callers beside the bare server', limit: '≤ 3x', measured: times(coldTimes), met: coldTimes <= 3 },
      {
        what: 'warm callers by way of the resident process',
        limit: '< 100 ms',
        measured: `${ms(asked.resident, 0.5).toFixed(0)} ms`,
        met: ms(asked.resident, 0.5) < 100,
      },
      {
        what: 'warm callers beside the bare server',
        limit: '≤ 5x',
        measured: times(warmTimes),
        met: warmTimes <= 5,
      },
    ],
  }
}
