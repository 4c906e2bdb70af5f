import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engines } from '../../engines/engines.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import type { Example } from '../../kernel/tool.ts'
import type { Network } from '../../machine/web/network.ts'
import type { SessionOptions } from '../../toolkit.ts'
import { fakeGithub } from '../fake-github.ts'
import { fakeFixes } from '../fake-fixes.ts'
import { fakePages } from '../fake-web.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../temporary-workspace.ts'

/** The content of a file beside the workspace; no answer may show it. */
export const CANARY = 'OUTSIDE-CANARY'

/** All permissions of a session, so that only the scenario itself refuses a call. */
export const EVERYTHING = ['fs:read', 'fs:write', 'exec', 'net']

/** A workspace for one example, and calls of the tool in it. */
export interface Stage {
  readonly workspace: TemporaryWorkspace
  open(options?: SessionOptions): ReturnType<TemporaryWorkspace['open']>
  once(
    session?: SessionOptions,
    input?: unknown,
    call?: { dryRun?: boolean; plan?: string },
  ): Promise<{ outcome: Outcome; answer: unknown }>
  /** Fails if the work leaves a change behind. */
  unchanged(work: () => Promise<void>): Promise<void>
  /** Returns how many records calls of this tool have left. */
  records(): number
  /** Returns the current content of the file beside the workspace. */
  outside(): string
}

/** Runs a scenario in a fresh workspace for this example. */
export async function onStage(
  contract: Contract<Engines>,
  tool: AnyTool<Engines>,
  example: Example,
  body: (stage: Stage) => Promise<void>,
): Promise<void> {
  await using workspace = workspaceFor(example)
  const { timeoutMs = PATIENCE_MS } = tool
  if (timeoutMs < PATIENCE_MS) giveTime(workspace, `${contract.id}/${tool.name}`)
  await using web = await (example.repository
    ? fakeGithub({ files: example.repository })
    : fakePages(example.web ?? {}))
  await body(stageFor(contract, tool, example, workspace, web.network))
}

/** Reports whether a tool of this name runs commands. */
export const isExec = (contract: Contract<Engines>, name: string): boolean =>
  contract.tools.some(tool => tool.name === name && tool.effects.includes('exec'))

export const code = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
export const failure = (outcome: Outcome): string =>
  outcome.ok ? 'it succeeded' : `${outcome.error.code}: ${outcome.error.message}`

/** These promises do not depend on time: a busy machine may take longer than a document allows. */
const PATIENCE_MS = 60_000

function giveTime({ base }: TemporaryWorkspace, tool: string): void {
  mkdirSync(join(base, 'config'))
  writeFileSync(join(base, 'config/config.json'), JSON.stringify({ timeouts: { [tool]: PATIENCE_MS } }))
}

function workspaceFor(example: Example): TemporaryWorkspace {
  const workspace = temporaryWorkspace(example.files ?? {})
  mkdirSync(join(workspace.base, 'outside'))
  writeFileSync(join(workspace.base, 'outside/secret.txt'), `${CANARY}\n`)
  symlinkSync('../outside', join(workspace.path, 'link-out'))
  return workspace
}

const DEFAULT_TASK = 'default'

function stageFor(
  contract: Contract<Engines>,
  tool: AnyTool<Engines>,
  example: Example,
  workspace: TemporaryWorkspace,
  network: Network,
): Stage {
  let recordCount = 0
  let isPrepared = false
  const open = async (options: SessionOptions = {}) => {
    const kit = await workspace.open({
      permissions: EVERYTHING,
      network,
      fixes: fakeFixes(example.fixes),
      ...(example.repository && { github: { repository: 'acme/shop' } }),
      ...options,
      contract,
      onRecord: record => void (Reflect.get(record, 'tool') === `${contract.id}/${tool.name}` && recordCount++),
    })
    if (example.sameSession) {
      for (const call of example.before ?? []) await kit.run(call.tool, call.input)
      return kit
    }
    if (!isPrepared) {
      isPrepared = true
      const first = await workspace.open({ permissions: EVERYTHING, contract })
      for (const call of example.before ?? []) if (!isExec(contract, call.tool)) await first.run(call.tool, call.input)
    }
    // Only the session that ran a command knows it.
    for (const call of example.before ?? []) if (isExec(contract, call.tool)) await kit.run(call.tool, call.input)
    return kit
  }
  const metricsFile = contract.metrics?.file(DEFAULT_TASK)
  /** Ignores the metrics file, because every call writes to it. */
  const snapshot = () =>
    Object.entries(workspace.snapshot()).filter(
      ([path]) => path !== metricsFile && !(path.endsWith('/') && metricsFile?.startsWith(path)),
    )
  return {
    workspace,
    open,
    async once(session = {}, input = example.input, call = {}) {
      const kit = await open(session)
      return kit.run(tool.name, input, call)
    },
    async unchanged(work) {
      await open()
      const before = snapshot()
      await work()
      assert.deepEqual(snapshot(), before)
    },
    records: () => recordCount,
    outside: () => workspace.read('../outside/secret.txt'),
  }
}
