import { closeSync, fsyncSync, openSync, readFileSync, readSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { temporaryWorkspace } from '../src/testing/temporary-workspace.ts'
import { openToolkit, type Toolkit } from '../src/toolkit.ts'
import { times, type Goal, type Row } from './bench.ts'
import { callFiles, PERMISSIONS } from './call-world.ts'
import { corpora, fastGlobFile } from './corpora.ts'
import { interleave, median, quantile } from './sample.ts'
import { warmResident } from './warm-resident.ts'

interface Pair {
  readonly what: string
  readonly peer: string
  readonly ours: Float64Array
  readonly theirs: Float64Array
  /** Ours to the peer's, or the peer's to ours. */
  readonly limit: { readonly most: number } | { readonly least: number }
}

/** Calls through the library, each beside the same work without us, in turn. */
export async function callGoals(): Promise<{ readonly rows: readonly Row[]; readonly goals: readonly Goal[] }> {
  const pairs = [...(await smallFiles()), await finds()]
  return { rows: pairs.flatMap(rowsOf), goals: pairs.flatMap(goalsOf) }
}

async function smallFiles(): Promise<readonly Pair[]> {
  await using workspace = temporaryWorkspace(callFiles())
  await using stack = new AsyncDisposableStack()
  stack.use(await warmResident(workspace.path, workspace.env))
  const kit = await workspace.open({ permissions: PERMISSIONS })
  const indexed = kit.session({ contract: (await import('../src/contracts/superconnect/contract.ts')).superconnect })
  const path = join(workspace.path, 'notes.txt')
  const plain = join(workspace.path, 'plain.txt')
  writeFileSync(plain, readFileSync(path))

  const read = async () => {
    const { content } = await answered(kit, 'read', { path: 'notes.txt' })
    if (content !== bareRead(path)) throw new Error('read: not the content of the file')
  }
  const reads = await interleave(
    { bare: () => bareRead(path), ours: read },
    { rounds: 2_000, warmUp: 1_000, repeat: { bare: 5 } },
  )
  const query = async () => {
    const { files } = Object(await indexed.call('queryIndex', { query: { type: 'exports', value: 'scale' } }))
    if (files?.[0]?.path !== 'src/base.ts') throw new Error(`queryIndex: ${JSON.stringify(files)}`)
  }
  const queries = await interleave({ read, query }, { rounds: 500, warmUp: 100 })

  let turn = 0
  const next = () => `${'Some words of a note.\n'.repeat(40)}turn: ${++turn}\n`
  const write = async () => {
    const content = next()
    await answered(kit, 'write', { path: 'notes.txt', content })
    if (readFileSync(path, 'utf8') !== content) throw new Error('write: not what was written')
  }
  const edit = async () => {
    const last = `turn: ${turn}`
    await answered(kit, 'edit', { path: 'notes.txt', edits: [{ old: last, new: `turn: ${++turn}` }] })
    if (!readFileSync(path, 'utf8').includes(`turn: ${turn}\n`)) throw new Error('edit: not what was written')
  }
  const writes = await interleave({ bare: () => bareWrite(plain, next()), write, edit }, { rounds: 150, warmUp: 20 })
  const bare = 'write beside, sync, rename, sync of the directory'
  return [
    { what: 'read of 1 kB', peer: 'open, read, close', ours: reads.ours, theirs: reads.bare, limit: { most: 30 } },
    { what: 'write of 1 kB', peer: bare, ours: writes.write, theirs: writes.bare, limit: { most: 1.5 } },
    { what: 'edit of 1 kB', peer: bare, ours: writes.edit, theirs: writes.bare, limit: { most: 1.5 } },
    { what: 'queryIndex', peer: 'read of 1 kB', ours: queries.query, theirs: queries.read, limit: { most: 2 } },
  ]
}

async function finds(): Promise<Pair> {
  const [medium] = corpora(['medium'])
  if (!medium) throw new Error('There is no medium corpus')
  await using beside = temporaryWorkspace()
  await using stack = new AsyncDisposableStack()
  stack.use(await warmResident(medium.path, beside.env))
  const kit = await openToolkit({ root: medium.path, env: beside.env })
  try {
    const fastGlob: (glob: string, options: object) => Promise<string[]> = createRequire(import.meta.url)(
      fastGlobFile(),
    )
    const options = { cwd: medium.path, dot: true, ignore: ['.git/**'] }
    const expected = (await fastGlob('**/*rray*', options)).toSorted().join('\n')
    const ours = async () => {
      const { files } = await answered(kit, 'find', { glob: '**/*rray*', limit: 10_000 })
      if (!Array.isArray(files) || files.toSorted().join('\n') !== expected)
        throw new Error("find: not fast-glob's files")
    }
    const samples = await interleave(
      { ours, theirs: () => fastGlob('**/*rray*', options) },
      { rounds: 15, warmUp: 3, repeat: { ours: 10 } },
    )
    return { what: 'find in 10k files', peer: 'fast-glob', ...samples, limit: { least: 20 } }
  } finally {
    await kit.close()
  }
}

async function answered(kit: Toolkit, name: string, input: object): Promise<Readonly<Record<string, unknown>>> {
  const { outcome } = await kit.run(name, input)
  if (!outcome.ok) throw new Error(`${name}: ${outcome.error.message}`)
  return Object(outcome.data)
}

const rowsOf = ({ what, peer, ours, theirs }: Pair): Row[] => [
  { what: `${what}, library`, cells: { 'p50 µs': median(ours), 'p95 µs': quantile(ours, 0.95) } },
  { what: `  ${peer}`, cells: { 'p50 µs': median(theirs), 'p95 µs': quantile(theirs, 0.95) } },
]

/** The middle call as the goal says, and all but the slowest twentieth within twice that. */
function goalsOf({ what, peer, ours, theirs, limit }: Pair): Goal[] {
  return [0.5, 0.95].map(part => {
    const own = quantile(ours, part)
    const slack = part === 0.5 ? 1 : 2
    const name = `${what} to ${peer}, p${part * 100}`
    if ('most' in limit) {
      const ratio = own / median(theirs)
      const most = limit.most * slack
      return { what: name, limit: `≤ ${times(most)}`, measured: times(ratio), met: ratio <= most }
    }
    const ratio = median(theirs) / own
    const least = limit.least / slack
    return { what: `${name}: faster`, limit: `≥ ${times(least)}`, measured: times(ratio), met: ratio >= least }
  })
}

const buffer = Buffer.alloc(4096)

function bareRead(path: string): string {
  const fd = openSync(path, 'r')
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0))
  } finally {
    closeSync(fd)
  }
}

/** What a careful program does to replace a file: nothing lost, nothing half-written. */
function bareWrite(path: string, text: string): void {
  const fd = openSync(`${path}.new`, 'w')
  writeSync(fd, text)
  fsyncSync(fd)
  closeSync(fd)
  renameSync(`${path}.new`, path)
  const directory = openSync(join(path, '..'), 'r')
  fsyncSync(directory)
  closeSync(directory)
}
