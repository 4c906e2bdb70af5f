import assert from 'node:assert/strict'
import type { Engines } from '../../engines/engines.ts'
import type { AnyTool, Contract } from '../../kernel/contract.ts'
import { fakePerson } from '../fakes.ts'
import type { Snapshot } from '../temporary-workspace.ts'
import { failure, onStage } from './stage.ts'

/**
 * Reports whether a tool's changes are known before they land. Those of a command or a request are known only
 * afterwards.
 */
export const stagesChanges = ({ effects }: AnyTool<Engines>): boolean =>
  (effects.includes('create') || effects.includes('write')) && !effects.includes('exec') && !effects.includes('net')

/** Fails if an example changes something that no diff has shown, or if no example changes anything. */
export async function showsDiff(contract: Contract<Engines>, tool: AnyTool<Engines>): Promise<void> {
  let changes = 0
  for (const example of tool.examples)
    await onStage(contract, tool, example, async ({ open, once, workspace }) => {
      await open()
      const before = workspace.snapshot()
      const person = fakePerson('yes')
      const { outcome } = await once({ permissions: [], approve: person })
      assert.ok(outcome.ok, failure(outcome))
      const changedFiles = changedPaths(before, workspace.snapshot())
      if (changedFiles.length === 0) return
      changes += changedFiles.length
      assert.equal(person.asked.length, 1, 'a person is asked once')
      const diffs = person.asked.flatMap(asked => asked.diffs)
      assert.ok(diffs.every(diff => diff.startsWith('diff --git ')))
      const shownPaths = person.asked.flatMap(({ card }) => card.changes.map(({ path }) => `${path}/`))
      for (const path of changedFiles)
        if (path.endsWith('/'))
          assert.ok(
            shownPaths.some(one => one.startsWith(path)),
            `the card does not show ${path}`,
          )
        else
          assert.ok(
            diffs.some(diff => diff.includes(path)),
            `no diff shows ${path}`,
          )
    })
  assert.ok(
    changes > 0,
    `no example changes anything, but the tool declares ${tool.effects.join(', ')}: add an example that does`,
  )
}

/** Returns files and directories that differ between two snapshots. */
const changedPaths = (before: Snapshot, after: Snapshot): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(path => before[path] !== after[path])
