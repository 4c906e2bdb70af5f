import { describe, expect, it } from 'vitest'
import { startFakeModel } from '../clients/fake-model.ts'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n' })
const write = { tool: 'write', input: { path: 'b.txt', content: 'two\n', expect: 'absent' } }

const at = (url: string) => ['--model', 'openai-compatible/fake', '--base-url', `${url}/v1`]

describe('toolwright agent', () => {
  it('ends with one line of JSON: what came out, what it cost, what changed, and how to take it back', async () => {
    await using model = await startFakeModel({ 'Do it.': [{ text: 'I write.', calls: [write] }, 'Done.'] })
    const { code, out } = await cli.run(['agent', 'Do it.', ...at(model.url), '--allow', 'fs:write', '--json'])
    const last = lines(out).at(-1)
    expect(last).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      status: 'completed',
      output: 'Done.',
      usage: { turns: 2, inputTokens: 2000, outputTokens: 20, totalTokens: 2020 },
      changed: [{ path: 'b.txt', kind: 'created' }],
      undo: `toolwright undo --task ${String(last?.['id'])}`,
    })
    expect(code).toBe(0)
    const undone = await cli.run(['undo', '--task', String(last?.['id']), '--json'])
    expect(undone.code).toBe(0)
    expect(Object.keys(cli.workspace.snapshot())).toEqual(['a.txt'])
    const { out: log } = await cli.run(['log', '--task', String(last?.['id']), '--json'])
    expect(lines(log).flatMap(({ type, tool }) => (type === 'call' ? [tool] : []))).toEqual(['toolwright/write'])
  })

  it('prints the answer alone where it is piped, and takes its task from a pipe', async () => {
    await using model = await startFakeModel({ 'Do it.': [[write], 'Done.'] })
    const { code, out, err } = await cli.run(['agent', ...at(model.url), '--allow', 'fs:write'], { input: 'Do it.\n' })
    expect({ code, out }).toEqual({ code: 0, out: 'Done.\n' })
    expect(err).toMatch(/✓ write b\.txt changed b\.txt/)
    expect(err).toMatch(/completed · 2 turns · 2k tokens · 1 file changed · /)
    expect(err).toMatch(/undo all of it: toolwright undo --task [0-9a-f]{8}/)
  })

  it.each([
    ['a limit', ['--max-turns', '1'], [[write], 'Done.'], 1, 'budget_exceeded'],
    ['a failure', [], [{ failures: [{ status: 401 }] }], 1, 'failed'],
    ['a refusal', [], [{ text: 'No.', stop: 'refusal' as const }], 3, 'refused'],
  ])('has an exit code for %s', async (_, options, steps, exit, status) => {
    await using model = await startFakeModel({ 'Do it.': steps })
    const { code, out } = await cli.run(['agent', 'Do it.', ...at(model.url), ...options, '--yes', '--json'])
    expect(code).toBe(exit)
    expect(lines(out).at(-1)).toMatchObject({ status })
  })

  it('DA-14: takes its limits from the configuration alone, where no option sets them', async () => {
    cli.configure({ agent: { maxTurns: 2 } })
    const read = { tool: 'read', input: { path: 'a.txt' } }
    await using model = await startFakeModel(() => [read])
    const { out } = await cli.run(['agent', 'Do it.', ...at(model.url), '--json'])
    expect(lines(out).at(-1)).toMatchObject({ status: 'budget_exceeded', usage: { turns: 2 } })
  })

  it('asks in line, and tells the model the reason of a no', async () => {
    await using model = await startFakeModel({ 'Do it.': [[write], 'I stop.'] })
    const { code, out } = await cli.run(['agent', 'Do it.', ...at(model.url)], { person: ['n use c.txt instead'] })
    expect(code).toBe(0)
    expect(model.heard()).toContain('A person said no, because: use c.txt instead')
    expect(out).toContain('✗ write b.txt was refused: use c.txt instead')
    expect(Object.keys(cli.workspace.snapshot())).toEqual(['a.txt'])
  })

  it.each([
    [['agent', 'Do it.'], 'Name the model'],
    [['agent', 'Do it.', '--model', 'nobody/x'], "'nobody/x' names no model"],
    [['agent', 'Do it.', '--model', 'openai/x'], "The provider 'openai' needs a key"],
    [['agent', 'Do it.', '--model', 'ollama/x', '--max-turns', '-1'], 'ambiguous'],
    [['agent', '--resume', 'abc'], "There is no run 'abc' here"],
  ])('says what is missing: %j', async (args, message) => {
    const { code, err } = await cli.run(args)
    expect(code).not.toBe(0)
    expect(err).toContain(message)
  })
})
