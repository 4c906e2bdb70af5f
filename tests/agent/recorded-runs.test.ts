import { cpSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { RUNS } from '../../scripts/recorded-tasks.ts'
import { at } from '../../scripts/root.mjs'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { runIn } from '../cli/rig.ts'

it('are all in examples/runs', () => {
  const folders = readdirSync(at('examples', 'runs'), { withFileTypes: true })
  expect(folders.flatMap(entry => (entry.isDirectory() ? [entry.name] : [])).toSorted()).toEqual(
    RUNS.map(({ name }) => name).toSorted(),
  )
})

describe.each(RUNS)('the recorded run $name', ({ name, options: { permissions } }) => {
  const file = at('examples', 'runs', name, 'run.jsonl')

  it('replays sealed', async () => {
    await using workspace = temporaryWorkspace()
    const { code, bytes } = await runIn(workspace, ['replay', file, '--json'], {})
    expect(JSON.parse(bytes.toString())).toMatchObject({ ok: true, runs: 1, different: 0, changed: [], leftOut: [] })
    expect(code).toBe(0)
    expect(workspace.snapshot()).toEqual({})
  })

  it('replays with live tools', async () => {
    await using workspace = temporaryWorkspace()
    cpSync(at('examples', 'runs', name, 'workspace'), workspace.path, { recursive: true })
    const allow = permissions.flatMap(permission => ['--allow', permission])
    const { bytes, err } = await runIn(workspace, ['replay', file, '--live-tools', ...allow, '--json'], {})
    expect(err).toBe('')
    expect(JSON.parse(bytes.toString())).toEqual({ ok: true })
  })
})

it('a changed tool gives the first difference', async () => {
  await using workspace = temporaryWorkspace({ 'README.md': '# Another shop\n' })
  const file = at('examples', 'runs', 'busy-service', 'run.jsonl')
  const { code, bytes } = await runIn(workspace, ['replay', file, '--live-tools'], {})
  expect(code).toBe(1)
  expect(bytes.toString()).toMatch(/^\nFirst difference: line \d+, read \{"path":"README.md"\}/)
})
