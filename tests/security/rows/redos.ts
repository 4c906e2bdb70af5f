import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { makePolicy } from '../../../src/guards/policy/policy.ts'
import { decide } from '../../../src/guards/policy/decide.ts'
import { ToolError } from '../../../src/kernel/error.ts'
import type { Outcome } from '../../../src/kernel/outcome.ts'
import type { Toolkit } from '../../../src/toolkit.ts'
import { heartbeat } from '../heartbeat.ts'
import { CannotRun, findings, type Findings, type Result, type Row, type RunRow } from '../row.ts'
import { makeWorld, type World } from '../world.ts'

export interface RedosRow extends Row {
  readonly pattern: string
  readonly input: string | { readonly repeat: string; readonly times: number; readonly suffix: string }
  readonly budget_ms: number
}

/** How long the event loop may stand still. */
const LONGEST_BLOCK_MS = 100
/** How long a slow run is tried again. */
const RETRY_MS = 12_000
/** Failures that end a search cleanly. */
const CLEAN = new Set(['invalid_input', 'timeout', 'denied'])

/** Runs each pattern through the tools that take one, on a file or a name that holds the row's input. */
export function redosRows(): RunRow {
  let opened: Promise<Ground> | undefined
  const run = async (row: Row): Promise<Result> => {
    const redos = row as RedosRow
    const found = findings()
    const ground = await (opened ??= openGround())
    const { root } = ground.world
    for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true })
    return redos.class === 'glob' ? await globRow(found, ground, redos) : await regexRow(found, ground, redos)
  }
  return Object.assign(run, { close: async () => (await opened)?.world[Symbol.asyncDispose]() })
}

/** One workspace, which every row finds empty. */
interface Ground {
  readonly world: World
  readonly kit: Toolkit
}

/** The searches are measured, not the start of the first process of each tool: another one comes before them. */
async function openGround(): Promise<Ground> {
  const world = makeWorld()
  const kit = await world.open({ contract: 'cli-agent' })
  for (const tool of ['grep_search', 'file_search']) await kit.run(tool, { pattern: 'warm' })
  return { world, kit }
}

async function regexRow(found: Findings, { world, kit }: Ground, row: RedosRow) {
  writeFileSync(join(world.root, 'input.txt'), inputOf(row))
  const verdicts = [
    await search(found, kit, row, 'grep_search', { pattern: row.pattern, is_regex: true }),
    await search(found, kit, row, 'grep_search', { pattern: row.pattern }),
  ]
  const [verdict = ''] = verdicts
  demandVerdict(found, row, verdict)
  return found.result(verdict)
}

/** A row that is only about time takes every verdict. */
function demandVerdict(found: Findings, { expect, ok = [expect] }: RedosRow, verdict: string): void {
  if (expect !== 'bounded') found.demand(ok.includes(verdict), `the pattern was answered with ${verdict}`)
}

/** A glob is asked for files, narrows a search of contents, and stands in a rule of the policy. */
async function globRow(found: Findings, { world, kit }: Ground, row: RedosRow) {
  putAt(world.root, inputOf(row))
  const verdict = await search(found, kit, row, 'file_search', { pattern: row.pattern })
  await search(found, kit, row, 'grep_search', { pattern: 'text', file_pattern: row.pattern })
  await bounded(found, row, 'policy', async () => judge(row))
  demandVerdict(found, row, verdict)
  return found.result(verdict)
}

/** Makes a file of this name, which may have directories; what the system has no room for nobody can search. */
function putAt(root: string, name: string): void {
  const file = join(root, name)
  try {
    if (relative(root, file).startsWith('..')) throw new Error('it leads outside')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, 'text\n')
  } catch (error) {
    throw new CannotRun(`no file can have the name: ${error instanceof Error ? error.message : String(error)}`)
  }
}

async function search(found: Findings, kit: Toolkit, row: RedosRow, tool: string, input: object): Promise<string> {
  const { outcome } = await bounded(found, row, tool, () => kit.run(tool, input))
  if (!outcome.ok) found.demand(CLEAN.has(outcome.error.code), `${tool} failed as ${outcome.error.code}`)
  return verdictOf(outcome)
}

/** On a machine that others use too one slow run proves nothing; what is slow by itself is slow every time. */
async function bounded<T>(found: Findings, row: RedosRow, what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  for (;;) {
    const beats = heartbeat()
    const since = performance.now()
    const answer = await work()
    const took = performance.now() - since
    const { blockedMs, waitedMs } = beats.stop()
    const isFast = took - waitedMs <= row.budget_ms && blockedMs <= LONGEST_BLOCK_MS
    if (!isFast && performance.now() - started < RETRY_MS) continue
    found.demand(
      isFast,
      `${what} took ${Math.round(took)} ms and blocked the event loop for ${Math.round(blockedMs)} ms`,
    )
    return answer
  }
}

function verdictOf(outcome: Outcome): string {
  if (!outcome.ok) return outcome.error.code === 'invalid_input' ? 'validation-error' : outcome.error.code
  const { metadata } = Object(outcome.data)
  return (metadata.total_matches ?? metadata.matches) > 0 ? 'match' : 'no-match'
}

/** A rule whose glob is refused is refused when the policy is made; any other is asked about the name. */
function judge(row: RedosRow): string {
  try {
    const policy = makePolicy({
      rules: [{ id: 'row', action: 'read', path: row.pattern, verdict: 'deny', source: 'user' }],
    })
    return decide(policy, [{ action: 'read', resource: inputOf(row) }]).verdict
  } catch (error) {
    if (error instanceof ToolError && error.code === 'invalid_input') return 'refused'
    throw error
  }
}

const inputOf = ({ input }: RedosRow): string =>
  typeof input === 'string' ? input : input.repeat.repeat(input.times) + input.suffix
