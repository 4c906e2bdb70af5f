import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engines } from '../engines/engines.ts'
import type { Network } from '../engines/web/network.ts'
import type { Action, Claim } from '../kernel/claim.ts'
import type { AnyTool, Contract } from '../kernel/contract.ts'
import { inputSchema, outputSchema } from '../kernel/json-schema.ts'
import type { Outcome } from '../kernel/outcome.ts'
import { riskOf, type Example } from '../kernel/tool.ts'
import type { SessionOptions } from '../toolkit.ts'
import { fakePerson } from './fakes.ts'
import { fakeGithub } from './fake-github.ts'
import { fakePages } from './fake-web.ts'
import { temporaryWorkspace, type Snapshot, type TemporaryWorkspace } from './temporary-workspace.ts'

/** The two words of a test runner: vitest's, node:test's or any other's. */
export interface Runner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void> | void): void
}

const EVERYTHING = ['fs:read', 'fs:write', 'exec', 'net']
const CANARY = 'OUTSIDE-CANARY'
/** Each leads out of the workspace, or is no path at all. */
const ESCAPES = [
  '../outside/secret.txt',
  '/etc/passwd',
  'link-out/secret.txt',
  'a/../../outside/secret.txt',
  'secret\0.txt',
]

/** Whether a tool's example runs a command, by itself or before it, and so needs a sandbox. */
export const runsCommands = (contract: Contract<Engines>, tool: AnyTool<Engines>): boolean =>
  tool.effects.includes('exec') ||
  tool.examples.some(({ before = [] }) => before.some(call => isExec(contract, call.tool)))

const isExec = (contract: Contract<Engines>, name: string): boolean =>
  contract.tools.some(tool => tool.name === name && tool.effects.includes('exec'))

/** The promises that every tool of every contract keeps. A new tool gets all of these tests for nothing. */
export function checkContract(
  contract: Contract<Engines>,
  { describe, it }: Runner,
  tools: readonly AnyTool<Engines>[] = contract.tools,
): void {
  for (const tool of tools)
    describe(`${contract.id}/${tool.name}`, () => {
      const example = tool.examples[0]
      const scenario = (name: string, body: (stage: Stage) => Promise<void>, of = example) =>
        it(name, async () => {
          assert.ok(of, 'a tool needs an example')
          await using workspace = workspaceFor(of)
          await using web = await (of.repository ? fakeGithub({ files: of.repository }) : fakePages(of.web ?? {}))
          await body(stageFor(contract, tool, of, workspace, web.network))
        })

      it('has a semantic version, a description and an example', () => {
        assert.match(tool.version, /^\d+\.\d+\.\d+$/)
        assert.ok(tool.description.length > 10 && example)
      })
      it('has JSON Schemas for its input and its output', () => {
        assert.equal(inputSchema(tool)['type'], 'object')
        assert.ok(outputSchema(tool))
      })
      for (const [at, one] of tool.examples.entries()) {
        const which = at === 0 ? '' : ` (example ${at + 1})`
        scenario(`answers its own example, in the shape it promises${which}`, answers(tool), one)
        scenario(`changes nothing in a dry run${which}`, staysDry, one)
        if (riskOf(tool.effects) !== 'read_only' && !tool.effects.includes('exec') && !tool.effects.includes('net'))
          scenario(`does exactly what its plan showed, and can be undone${which}`, followsItsPlan, one)
      }
      scenario('claims no more than its effects', async ({ claims }) => {
        for (const claim of await claims())
          assert.ok((tool.effects as readonly string[]).includes(claim.action), claim.action)
      })
      scenario('answers garbage with an error of its own, and changes nothing', async ({ once, unchanged }) => {
        for (const garbage of [null, 1, 'text', [], { nonsense: 1 }, { ...Object(example?.input), nonsense: 1 }])
          await unchanged(async () => assert.equal(code((await once({}, garbage)).outcome), 'invalid_input'))
      })
      scenario('leaves exactly one record for each call, refused ones too', async ({ once, records }) => {
        await once()
        await once({ permissions: [], permissionsOnly: true })
        await once({}, { nonsense: 1 })
        assert.equal(records(), 3)
      })
      scenario('does the same again in deterministic mode', async ({ once }) => {
        const [first, second] = [
          await once({ deterministic: true }, undefined, { dryRun: true }),
          await once({ deterministic: true }, undefined, { dryRun: true }),
        ]
        assert.deepEqual(second.answer, first.answer)
      })
      if (example && claimsPaths(tool, example))
        for (const escape of ESCAPES)
          scenario(`cannot reach ${JSON.stringify(escape)}`, async ({ once, unchanged, outside }) => {
            await unchanged(async () => {
              const { outcome, answer } = await once({}, redirected(tool, example, escape))
              assert.ok(!outcome.ok, 'the call must be refused')
              assert.ok(!JSON.stringify(answer).includes(CANARY), 'nothing of the outside may show')
            })
            assert.equal(outside(), `${CANARY}\n`)
          })
      if (riskOf(tool.effects) !== 'read_only')
        scenario('is neither listed nor runnable in a read-only registry', async ({ open, once, unchanged }) => {
          assert.ok(!(await open({ readOnly: true })).tools().some(({ name }) => name === tool.name))
          await unchanged(async () => assert.equal(code((await once({ readOnly: true })).outcome), 'denied'))
        })
      if (example && statesPaths(tool, example)) {
        scenario(
          'refuses what is not permitted, names the permission, and changes nothing',
          async ({ once, unchanged }) => {
            await unchanged(async () => {
              const { outcome } = await once({ permissions: [], permissionsOnly: true })
              assert.equal(code(outcome), 'denied')
              assert.match(outcome.ok ? '' : (outcome.error.hint ?? ''), /fs:(read|write|create)/)
            })
          },
        )
        if (riskOf(tool.effects) !== 'read_only') {
          scenario('refuses when the person says no, and when there is no person', async ({ once, unchanged }) => {
            await unchanged(async () =>
              assert.equal(code((await once({ permissions: [], approve: fakePerson('no') })).outcome), 'rejected'),
            )
            await unchanged(async () => assert.equal(code((await once({ permissions: [] })).outcome), 'rejected'))
          })
          scenario('shows the person the diff of what it then does', async ({ open, once, workspace }) => {
            await open()
            const before = workspace.snapshot()
            const person = fakePerson('yes')
            const { outcome } = await once({ permissions: [], approve: person })
            assert.ok(outcome.ok, failure(outcome))
            assert.equal(person.asked.length, 1)
            const diffs = person.asked[0]?.diffs ?? []
            assert.ok(diffs.every(diff => diff.startsWith('diff --git ')))
            const changed = changedFiles(before, workspace.snapshot())
            for (const path of changed)
              assert.ok(
                diffs.some(diff => diff.includes(path)),
                `no diff shows ${path}`,
              )
          })
        }
      }
    })
}

const answers =
  (tool: AnyTool<Engines>) =>
  async ({ once }: Stage): Promise<void> => {
    const { outcome } = await once()
    assert.ok(outcome.ok, failure(outcome))
    assert.ok(tool.output.safeParse(outcome.data).success)
  }

const staysDry = ({ once, unchanged }: Stage): Promise<void> =>
  unchanged(async () => {
    const { outcome } = await once({}, undefined, { dryRun: true })
    assert.ok(outcome.ok, failure(outcome))
  })

async function followsItsPlan({ open, once, workspace }: Stage): Promise<void> {
  await open()
  const before = workspace.snapshot()
  const { outcome: dry } = await once({}, undefined, { dryRun: true })
  const { outcome } = await once({}, undefined, { plan: dry.meta.plan ?? '' })
  assert.ok(outcome.ok, failure(outcome))
  const kit = await workspace.open({ permissions: EVERYTHING })
  if (outcome.meta.undo)
    assert.ok((await kit.run('undo', { id: outcome.meta.undo }, { contract: 'toolwright' })).outcome.ok)
  assert.deepEqual(workspace.snapshot(), before)
}

/** Files, not directories, that differ between two looks. */
const changedFiles = (before: Snapshot, after: Snapshot): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    path => !path.endsWith('/') && before[path] !== after[path],
  )

interface Stage {
  readonly workspace: TemporaryWorkspace
  open(options?: SessionOptions): ReturnType<TemporaryWorkspace['open']>
  once(
    session?: SessionOptions,
    input?: unknown,
    call?: { dryRun?: boolean; plan?: string },
  ): Promise<{ outcome: Outcome; answer: unknown }>
  /** What the tool states by itself, before anybody checks it. */
  claims(): Promise<readonly Claim[]>
  unchanged(work: () => Promise<void>): Promise<void>
  /** How many records calls of this tool have left. */
  records(): number
  outside(): string
}

function workspaceFor(example: Example): TemporaryWorkspace {
  const workspace = temporaryWorkspace(example.files ?? {})
  mkdirSync(join(workspace.base, 'outside'))
  writeFileSync(join(workspace.base, 'outside/secret.txt'), `${CANARY}\n`)
  symlinkSync('../outside', join(workspace.path, 'link-out'))
  return workspace
}

function stageFor(
  contract: Contract<Engines>,
  tool: AnyTool<Engines>,
  example: Example,
  workspace: TemporaryWorkspace,
  network: Network,
): Stage {
  let seen = 0
  let prepared = false
  const open = async (options: SessionOptions = {}) => {
    const kit = await workspace.open({
      permissions: EVERYTHING,
      network,
      ...(example.repository && { github: { repository: 'acme/shop' } }),
      ...options,
      contract,
      onRecord: record => void (Reflect.get(record, 'tool') === `${contract.id}/${tool.name}` && seen++),
    })
    if (example.sameSession) {
      for (const call of example.before ?? []) await kit.run(call.tool, call.input)
      return kit
    }
    if (!prepared) {
      prepared = true
      const first = await workspace.open({ permissions: EVERYTHING, contract })
      for (const call of example.before ?? []) if (!isExec(contract, call.tool)) await first.run(call.tool, call.input)
    }
    // What a session ran is known to that session alone.
    for (const call of example.before ?? []) if (isExec(contract, call.tool)) await kit.run(call.tool, call.input)
    return kit
  }
  const told = contract.metrics?.file(DEFAULT_TASK)
  /** What a contract tells of its calls comes and goes with every one of them. */
  const snapshot = () =>
    Object.entries(workspace.snapshot()).filter(
      ([path]) => path !== told && !(path.endsWith('/') && told?.startsWith(path)),
    )
  return {
    workspace,
    open,
    async once(session = {}, input = example.input, call = {}) {
      const kit = await open(session)
      return kit.run(tool.name, input, call)
    },
    async claims() {
      const kit = await open()
      const undoPaths = (id?: string) => kit.commits().find(commit => commit.id === (id ?? commit.id))?.paths ?? []
      return tool.claims(tool.input.parse(example.input), { undoPaths })
    },
    async unchanged(work) {
      await open()
      const before = snapshot()
      await work()
      assert.deepEqual(snapshot(), before)
    },
    records: () => seen,
    outside: () => workspace.read('../outside/secret.txt'),
  }
}

const DEFAULT_TASK = 'default'

/** Whether the tool takes paths from its input: only then can it be sent astray. */
const claimsPaths = (tool: AnyTool<Engines>, example: Example): boolean => pathsIn(tool, example).length > 0

/** Whether a call of it touches files that are known beforehand, named in its input or not. */
const statesPaths = (tool: AnyTool<Engines>, example: Example): boolean =>
  tool
    .claims(tool.input.parse(example.input), { undoPaths: () => ['a'] })
    .some(({ action, resource }) => isFile(action) && !resource.endsWith('**'))

const isFile = (action: Action): boolean => action === 'read' || action === 'create' || action === 'write'

function pathsIn(tool: AnyTool<Engines>, example: Example): string[] {
  const text = JSON.stringify(example.input)
  const claims = tool.claims(tool.input.parse(example.input), { undoPaths: () => [] })
  return claims
    .filter(({ action }) => isFile(action))
    .map(({ resource }) => resource)
    .filter(resource => !resource.endsWith('**') && text.includes(JSON.stringify(resource).slice(1, -1)))
}

/** The example with every path that it claims replaced by another. */
function redirected(tool: AnyTool<Engines>, example: Example, to: string): unknown {
  const inside = JSON.stringify(to).slice(1, -1)
  const text = pathsIn(tool, example).reduce(
    (json, path) => json.replaceAll(JSON.stringify(path).slice(1, -1), inside),
    JSON.stringify(example.input),
  )
  return JSON.parse(text)
}

const code = (outcome: Outcome): string => (outcome.ok ? 'ok' : outcome.error.code)
const failure = (outcome: Outcome): string =>
  outcome.ok ? 'it succeeded' : `${outcome.error.code}: ${outcome.error.message}`
