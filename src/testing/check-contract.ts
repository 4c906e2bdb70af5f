import assert from 'node:assert/strict'
import type { Engines } from '../engines/engines.ts'
import type { AnyTool, Contract } from '../kernel/contract.ts'
import { inputSchema, outputSchema } from '../kernel/json-schema.ts'
import { toolRisk, type Example } from '../kernel/tool.ts'
import { fakePerson } from './fakes.ts'
import { claimsNothing, claimsOf, claimsWithinEffects, isFileClaim } from './scenarios/claims.ts'
import { cannotReach, ESCAPES, takesPaths } from './scenarios/escapes.ts'
import { showsDiff, stagesChanges } from './scenarios/shown-diff.ts'
import { code, EVERYTHING, failure, isExec, onStage, type Stage } from './scenarios/stage.ts'

/** The two functions of a test runner: vitest's, node:test's or any other's. */
export interface Runner {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void> | void): void
}

/** Reports whether a tool's example runs a command, in itself or before it, and so needs a sandbox. */
export const runsCommands = (contract: Contract<Engines>, tool: AnyTool<Engines>): boolean =>
  tool.effects.includes('exec') ||
  tool.examples.some(({ before = [] }) => before.some(call => isExec(contract, call.tool)))

/** Tests the promises that every tool of every contract keeps. A new tool gets all of these tests for free. */
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
          await onStage(contract, tool, of, body)
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
        if (stagesChanges(tool))
          scenario(`does exactly what its plan showed, and can be undone${which}`, followsItsPlan, one)
      }
      if (tool.effects.length > 0) it('claims no more than its effects', () => claimsWithinEffects(contract, tool))
      else it('claims nothing, for it declares no effects', () => claimsNothing(tool))
      scenario('answers garbage with an error of its own, and changes nothing', async ({ once, unchanged }) => {
        const unknownKey = { ...Object(example?.input), nonsense: 1 }
        // A schema that takes any key says so, and is stored with the others.
        const isClosed = inputSchema(tool)['additionalProperties'] === false
        for (const garbage of [null, 1, 'text', [], { nonsense: 1 }, ...(isClosed ? [unknownKey] : [])])
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
      if (takesPaths(tool))
        for (const escape of ESCAPES)
          it(`cannot reach ${JSON.stringify(escape)}`, () => cannotReach(contract, tool, escape))
      if (stagesChanges(tool)) it('shows the person the diff of what it then does', () => showsDiff(contract, tool))
      if (toolRisk(tool) !== 'read_only')
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
        if (toolRisk(tool) !== 'read_only') {
          scenario('refuses when the person says no, and when there is no person', async ({ once, unchanged }) => {
            await unchanged(async () =>
              assert.equal(code((await once({ permissions: [], approve: fakePerson('no') })).outcome), 'rejected'),
            )
            await unchanged(async () => assert.equal(code((await once({ permissions: [] })).outcome), 'rejected'))
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

/** Reports whether a call touches files that are known beforehand, whether or not its input names them. */
const statesPaths = (tool: AnyTool<Engines>, example: Example): boolean =>
  claimsOf(tool, example).some(claim => isFileClaim(claim) && !claim.resource.endsWith('**'))
