import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { once } from 'node:events'
import { openOverlay } from '../../src/machine/process/overlay/open-overlay.ts'
import { openSandbox, type SandboxOptions } from '../../src/machine/process/sandbox/open-sandbox.ts'
import type { Exit, Limits, Started } from '../../src/machine/process/sandbox/types.ts'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { openCommitStore } from '../../src/machine/workspace/commit/commit-store.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import { processesWith } from './world.ts'

/** When what a command left is read; the second is a planted bug. */
export type Protocol = 'when it has ended' | 'before the namespace is empty'

export interface EscapeOrder {
  readonly options: SandboxOptions
  readonly limits: Limits
  readonly outside: string
  readonly canary: string
  readonly protocol: Protocol
  readonly kind: 'overlay' | 'direct' | 'read-only' | 'terminal'
  readonly ways: readonly string[]
  /** The command runs, with this word in its command line, until it is ended. */
  readonly stays?: string
}

export interface EscapeRound {
  readonly way: string
  readonly printed: string
  readonly exit: Exit | undefined
  /** What landed, by path. */
  readonly landed: readonly string[]
  readonly violations: readonly string[]
}

const attack = readFileSync(join(import.meta.dirname, 'escape-attack.pl'), 'utf8')

for await (const line of createInterface(process.stdin)) {
  const order: EscapeOrder = JSON.parse(line)
  for (const way of order.ways) console.log(JSON.stringify(await round(order, way)))
  console.log('over')
}

/** One command that attacks, on a real layer that is read and lands as a call's does. */
async function round(order: EscapeOrder, way: string): Promise<EscapeRound> {
  const { options, outside, canary, kind } = order
  const mark = order.stays ?? `mark${Math.random().toString(36).slice(2)}`
  const root = openRoot(options.root)
  const staging = createStaging()
  const violations: string[] = []
  // The first thing of a process that runs commands: whatever outlived another ends here.
  const sandbox = openSandbox(options)
  sandbox.report()
  for (const name of ['made', 'dist']) rmSync(join(options.root, name), { recursive: true, force: true })
  const scratch = join(options.scratch ?? '', 'layers')
  const overlay =
    kind === 'overlay'
      ? openOverlay(root, staging, {
          scratch,
          overlay: true,
          hides: undefined,
          memory: new Map(),
          mustStage: () => false,
          keepsRepository: () => true,
          env: {},
        })
      : undefined
  try {
    const started = sandbox.start({
      root: options.root,
      argv: ['/usr/bin/perl', '-e', attack, way, mark, outside, ...(order.stays === undefined ? [] : ['stay'])],
      cwd: '.',
      env: {},
      tree: overlay?.tree ?? { kind: kind === 'read-only' ? 'read-only' : 'direct' },
      readOnly: overlay?.readOnly ?? [],
      hidden: [],
      network: undefined,
      limits: order.limits,
      stdin: 'none',
      ...(kind === 'terminal' && { terminal: { columns: 80, rows: 24 } }),
    })
    const printed = printedBy(started)
    if (order.stays !== undefined)
      started.stdout.on('data', () => printed().includes('swapping') && console.log('stays'))
    const exit =
      order.protocol === 'when it has ended' ? await started.exit : (await once(started.stdout, 'data'), undefined)
    const alive = processesWith(mark)
    if (alive.length > 0) violations.push(`${alive.length} processes live while what it left is read`)
    if (overlay) land()
    const found = below(options.root).filter(path => readFileSync(path, 'latin1').includes(canary))
    if (found.length > 0) violations.push(`from outside: ${found.join(' ')}`)
    started.end('cancelled')
    await started.exit
    if (processesWith(mark).length > 0) violations.push('processes are left')
    return { way, printed: printed(), exit, landed: below(options.root), violations }
  } finally {
    overlay?.discard()
    root.close()
  }

  function land(): void {
    const state = join(options.scratch ?? '', `state-${mark}`)
    mkdirSync(state)
    const store = openCommitStore(root, state)
    try {
      overlay?.collect()
      commit(root, store, staging.toOperations(), { id: 'c1' })
      overlay?.apply()
    } catch (error) {
      // Nothing changes any more, so that nothing can be missing or another by now.
      violations.push(`not read: ${String(error)}`)
    } finally {
      store.close()
      rmSync(state, { recursive: true, force: true })
    }
  }
}

function printedBy({ stdout, stderr }: Started): () => string {
  let text = ''
  for (const stream of [stdout, stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return () => text
}

/** Regular files that lie there, links not followed. */
function below(directory: string): string[] {
  return readdirSync(directory).flatMap(name => {
    const path = join(directory, name)
    const stats = lstatSync(path)
    if (name === '.git') return []
    return stats.isDirectory() ? below(path) : stats.isFile() ? [path] : []
  })
}
