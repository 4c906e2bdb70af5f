import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCommitStore, type CommitStore } from '../../src/machine/workspace/commit/commit-store.ts'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { openWorkspace } from '../../src/machine/workspace/open-workspace.ts'
import { createReadMemory } from '../../src/machine/workspace/read-memory.ts'
import { openRoot, type Root } from '../../src/machine/workspace/root.ts'
import { createStaging } from '../../src/machine/workspace/staging.ts'
import type { Workspace } from '../../src/machine/workspace/workspace.ts'
import { ToolError } from '../../src/kernel/error.ts'
import { openToolkit } from '../../src/toolkit.ts'
import { fastDirectory } from '../memory-directory.ts'
import { hashTree } from '../security/build-fixture.ts'

const CALLS = process.env['TOOLWRIGHT_LONG'] === '1' ? 100_000 : 2_000
const PIPELINE_CALLS = process.env['TOOLWRIGHT_LONG'] === '1' ? 20_000 : 500
/** So many times as many calls at most, until each of them got through and met the link. */
const MOST = 20
const CANARY = 'OUTSIDE-CANARY'
const INSIDE = 'inside'

let base: string
let state: string
let ws: string
let root: Root
let store: CommitStore
let swapper: ChildProcessByStdio<Writable, Readable, null>
let commits = 0

beforeEach(async () => {
  base = realpathSync(mkdtempSync(join(fastDirectory, 'toolwright-race-')))
  state = mkdtempSync(join(fastDirectory, 'toolwright-state-'))
  ws = join(base, 'ws')
  for (const [directory, content] of [[join(ws, 'dir'), INSIDE] as const, [join(base, 'outside'), CANARY] as const]) {
    mkdirSync(join(directory, 'sub'), { recursive: true })
    for (const name of ['read.txt', 'edit.txt', 'sub/deep.txt']) writeFileSync(join(directory, name), `${content}\n`)
    for (let at = 0; at < 8; at++) writeFileSync(join(directory, `gone-${at}.txt`), `${content}\n`)
  }
  writeFileSync(join(base, `outside/${CANARY}.txt`), CANARY)
  symlinkSync('../outside', join(ws, '.dir-link'))
  root = openRoot(ws)
  store = openCommitStore(root, state)
  swapper = spawn(process.execPath, [join(import.meta.dirname, 'swapper.ts'), ws, 'dir'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // Its first line: it swaps from now on.
  await once(swapper.stdout, 'data')
})

afterEach(() => {
  swapper.kill('SIGKILL')
  store.close()
  root.close()
  for (const directory of [base, state]) rmSync(directory, { recursive: true, force: true })
})

const verbs: Record<string, (workspace: Workspace, round: number) => unknown> = {
  read: workspace => workspace.read('dir/read.txt').bytes.toString(),
  deep: workspace => workspace.read('dir/sub/deep.txt').bytes.toString(),
  list: workspace => workspace.list('dir').map(entry => entry.name),
  stat: workspace => workspace.stat('dir/read.txt')?.size,
  write: (workspace, round) => workspace.put(`dir/new-${round % 16}.txt`, Buffer.from(`${INSIDE} ${round}`)),
  edit(workspace, round) {
    const { bytes } = workspace.read('dir/edit.txt')
    workspace.put('dir/edit.txt', Buffer.from(`${bytes.toString().split('\n')[0]}\n${round}\n`))
    return bytes.toString()
  },
  delete(workspace, round) {
    const path = `dir/gone-${round % 8}.txt`
    if (workspace.stat(path) === undefined) workspace.put(path, Buffer.from(INSIDE))
    else workspace.remove(path)
  },
  move: (workspace, round) => workspace.move(`dir/new-${round % 16}.txt`, `dir/sub/moved-${round}.txt`),
}

/** One call as the pipeline makes it: opened, run, committed; the answer or the code of the refusal. */
function call(verb: string, round: number): { ok: boolean; answer: string } {
  const staging = createStaging()
  const grant = [{ action: 'read', resource: '**' } as const, { action: 'write', resource: '**' } as const]
  const workspace = openWorkspace(root, { grant, staging, memory: createReadMemory() })
  try {
    const answer = JSON.stringify(verbs[verb]?.(workspace, round) ?? null)
    const operations = staging.toOperations()
    // Between two swaps the name is free for a moment, and a write would rightly make the directory: not this race.
    if (operations.some(operation => operation.kind === 'mkdir')) return { ok: false, answer: 'not_found' }
    commit(root, store, operations, { id: `c${commits++}` })
    return { ok: true, answer }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { ok: false, answer: error.code }
  }
}

interface Called {
  readonly contract: string
  readonly tool: string
  readonly input: unknown
}

/** Calls as callers make them, each with the narrow claims of its own. */
const CALLED: readonly ((round: number) => Called)[] = [
  () => ({ contract: 'toolwright', tool: 'read', input: { path: 'dir/read.txt' } }),
  () => ({ contract: 'toolwright', tool: 'read', input: { path: 'dir/sub/deep.txt' } }),
  () => ({ contract: 'cli-agent', tool: 'list_dir', input: { path: 'dir' } }),
  round => ({
    contract: 'sage',
    tool: 'Write',
    input: { file: `dir/new-${round % 16}.txt`, content: `${INSIDE} ${round}` },
  }),
  () => ({
    contract: 'toolwright',
    tool: 'edit',
    input: { path: 'dir/edit.txt', edits: [{ old: INSIDE, new: `${INSIDE} ` }] },
  }),
  round => ({ contract: 'toolwright', tool: 'delete', input: { path: `dir/new-${(round + 8) % 16}.txt` } }),
  round => ({
    contract: 'toolwright',
    tool: 'move',
    input: { from: `dir/new-${(round + 4) % 16}.txt`, to: `dir/sub/moved-${round}.txt` },
  }),
]

const unreachable = (): never => {
  throw new Error('No call')
}

/** Files and directories alone: threads that sync have descriptors of their own. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd')
    .map(targetOf)
    .filter(target => target.startsWith('/'))
    .toSorted()

const targetOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    // The one that this listing itself had open.
    return ''
  }
}

/** Ends the other side; how often it swapped. */
const stop = (): Promise<number> =>
  new Promise(done => {
    let text = ''
    swapper.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    swapper.on('close', () => done(Number(text)))
    swapper.stdin.end()
  })

describe('SG-18: while a directory is swapped for a link outwards', () => {
  it(`no byte comes from outside and nothing lands there, in ${CALLS} calls`, async () => {
    const outside = hashTree(base, 'ws')
    const names = Object.keys(verbs)
    const good = new Map<string, number>()
    const refused = new Map<string, number>()
    // The store opens its directories with the first commit and keeps them.
    commit(root, store, [{ kind: 'mkdir', path: 'other', mode: 0o755 }], { id: 'first' })
    const open = openFiles()
    // On a busy machine the other side may have few turns among so many calls.
    const isRun = () =>
      names.every(verb => (good.get(verb) ?? 0) > CALLS / 500) && (refused.get('outside_workspace') ?? 0) > CALLS / 500
    for (let round = 0; round < CALLS || (!isRun() && round < CALLS * MOST); round++) {
      const verb = names[round % names.length] ?? ''
      const { ok, answer } = call(verb, Math.floor(round / names.length))
      if (answer.includes(CANARY)) expect.fail(`${verb} answered ${answer}`)
      const tally = ok ? good : refused
      tally.set(ok ? verb : answer, (tally.get(ok ? verb : answer) ?? 0) + 1)
    }
    expect(openFiles()).toEqual(open)
    const swaps = await stop()
    expect(hashTree(base, 'ws')).toBe(outside)
    expect(swaps).toBeGreaterThan(CALLS / 20)
    // Every verb got through often, and often met the link: the race was really run.
    expect({ isRun: isRun(), good, refused }).toMatchObject({ isRun: true })
    // What failed was refused in plain words, never as a defect or a broken disk.
    expect([...refused.keys()].filter(code => !EXPECTED.has(code))).toEqual([])
    expect(readFileSync(join(ws, 'dir/edit.txt'), 'utf8')).toMatch(/^inside\n\d+\n$/)
    expect(readdirSync(join(ws, 'dir')).filter(name => !name.endsWith('.txt'))).toEqual(['sub'])
  })

  it(`the same holds for whole calls, from claim to answer, in ${PIPELINE_CALLS} of them`, async () => {
    const env = {
      HOME: state,
      TOOLWRIGHT_STATE: join(state, 'state'),
      TOOLWRIGHT_CONFIG_HOME: join(state, 'config'),
    }
    const outside = hashTree(base, 'ws')
    const kit = await openToolkit({ root: ws, env, permissions: ['fs:read', 'fs:write:dir/**'] })
    const good = new Map<string, number>()
    const refused = new Map<string, number>()
    const isRun = () => CALLED.every(called => good.has(called(0).tool)) && refused.has('outside_workspace')
    try {
      for (let round = 0; round < PIPELINE_CALLS || (!isRun() && round < PIPELINE_CALLS * MOST); round++) {
        const { contract, tool, input } = CALLED[round % CALLED.length]?.(round) ?? unreachable()
        const { outcome, answer } = await kit.run(tool, input, { contract })
        const told = JSON.stringify([outcome, answer])
        if (told.includes(CANARY)) expect.fail(`${tool} answered ${told}`)
        if (outcome.ok) good.set(tool, (good.get(tool) ?? 0) + 1)
        else refused.set(outcome.error.code, (refused.get(outcome.error.code) ?? 0) + 1)
      }
      expect(
        String(readdirSync(kit.state.journal).map(name => readFileSync(join(kit.state.journal, name)))),
      ).not.toContain(CANARY)
    } finally {
      await kit.close()
    }
    const swaps = await stop()
    expect(hashTree(base, 'ws')).toBe(outside)
    expect(swaps).toBeGreaterThan(PIPELINE_CALLS / 20)
    expect({ isRun: isRun(), good, refused }).toMatchObject({ isRun: true })
    // What was claimed may be elsewhere by the time it is opened: then it was not claimed.
    expect([...refused.keys()].filter(code => !EXPECTED.has(code) && code !== 'denied')).toEqual([])
  })

  it('the same race is lost by checking the real path and then reading', async () => {
    let [leaked, inside, refused] = [0, 0, 0]
    const until = performance.now() + 20_000
    while (performance.now() < until && (leaked === 0 || inside === 0 || refused === 0)) {
      try {
        const path = join(ws, 'dir/read.txt')
        if (!realpathSync(path).startsWith(`${ws}/`)) refused++
        else if (readFileSync(path, 'utf8').includes(CANARY)) leaked++
        else inside++
      } catch {
        refused++
      }
    }
    await stop()
    expect([leaked, inside, refused].map(count => count > 0)).toEqual([true, true, true])
  })
})

const EXPECTED = new Set(['outside_workspace', 'not_found', 'conflict', 'exists', 'not_a_directory'])
