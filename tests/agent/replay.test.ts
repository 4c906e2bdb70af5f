import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openRecording } from '../../src/index.ts'
import { runIn } from '../cli/rig.ts'
import { agentWorld } from './rig.ts'

const script = {
  'Do it.': [
    [{ tool: 'read', input: { path: 'a.txt' } }],
    [{ tool: 'write', input: { path: 'b.txt', content: 'two\n', expect: 'absent' } }],
    { text: 'Done.', failures: [{ status: 503, headers: { 'retry-after-ms': '1' } }] },
  ],
}

/** Records a run, and returns its file and a fresh workspace with the same files. */
async function recorded() {
  const world = await agentWorld(script)
  const file = join(world.workspace.base, 'run.jsonl')
  const recording = openRecording(file)
  const result = await world.run('Do it.', { session: { permissions: ['fs:write'], record: recording.recorder } })
  recording.close()
  expect(result.status).toBe('completed')
  const fresh = await agentWorld({})
  return {
    file,
    workspace: fresh.workspace,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await fresh[Symbol.asyncDispose]()
    },
  }
}

describe('a recorded run', () => {
  it('replays sealed, without touching anything, with each try of a request in it', async () => {
    await using run = await recorded()
    const before = run.workspace.snapshot()
    const { code, bytes } = await runIn(run.workspace, ['replay', run.file, '--json'], {})
    expect(JSON.parse(bytes.toString())).toMatchObject({ ok: true, calls: 2, equal: 2, runs: 1 })
    expect(code).toBe(0)
    expect(run.workspace.snapshot()).toEqual(before)
    expect(readFileSync(run.file, 'utf8')).toContain('503')
  })

  it('replays with live tools', async () => {
    await using run = await recorded()
    const live = ['replay', run.file, '--live-tools', '--allow', 'fs:write', '--root', run.workspace.path, '--json']
    const { code, bytes, err } = await runIn(run.workspace, live, {})
    expect(err).toBe('')
    expect(JSON.parse(bytes.toString())).toEqual({ ok: true })
    expect(code).toBe(0)
    expect(run.workspace.read('b.txt')).toBe('two\n')
  })

  it('names the first difference by the nearest recorded call', async () => {
    await using run = await recorded()
    run.workspace.write('a.txt', 'another\n')
    const live = ['replay', run.file, '--live-tools', '--allow', 'fs:write', '--root', run.workspace.path]
    const { code, bytes } = await runIn(run.workspace, live, {})
    expect(code).toBe(1)
    expect(bytes.toString()).toMatch(
      /First difference: line \d+, read \{"path":"a.txt"\}: what the call answers differs/,
    )
    expect(bytes.toString()).toContain('another')
  })

  it('shows what was changed in it', async () => {
    await using run = await recorded()
    writeFileSync(run.file, readFileSync(run.file, 'utf8').replace('"Done."', '"Gone."'))
    const { code, bytes } = await runIn(run.workspace, ['replay', run.file], {})
    expect(code).toBe(1)
    expect(bytes.toString()).toContain('how the run ends differs')
    expect(bytes.toString()).toContain('Changed since it was recorded')
  })
})
