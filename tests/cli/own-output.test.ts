import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { OWN_OUTPUT } from '../../src/surfaces/cli/tool-command/table.ts'
import { useCli } from './rig.ts'

const cli = useCli({ 'a.ts': 'export const one = 1\n', 'src/b.ts': 'export const two = 2\n' })
const transaction = async (): Promise<string> => {
  const { result } = await cli.call('stage', { action: 'begin' })
  return result.meta.transaction
}

describe('commands with an output of their own', () => {
  it('look into a transaction', async () => {
    const id = await transaction()
    await cli.run(['write', 'c.ts', '--content', 'export const three = 3\n', '--transaction', id, '--yes'])
    expect((await cli.run(['grep', 'three', '--transaction', id])).out).toBe('c.ts:1:export const three = 3\n')
    expect((await cli.run(['find', 'c.ts', '--transaction', id])).out).toBe('c.ts\n')
    expect((await cli.run(['grep', 'three'])).out).toBe('')
  })

  it.each(OWN_OUTPUT)('%s takes the options of every call', async name => {
    const options = ['--yes', '--dry-run', '--read-only', '--component', 'x', '--allow', 'fs:read', '--deterministic']
    const { err } = await cli.run([name, '--record', 'calls.jsonl', ...options, '--limitless'])
    expect(err).toContain("Unknown option '--limitless'")
  })

  it('are recorded, and counted for their task', async () => {
    const { code } = await cli.run(['grep', 'one', '--record', 'calls.jsonl', '--component', 'search'])
    expect([code, existsSync(join(cli.workspace.path, 'calls.jsonl'))]).toEqual([0, true])
    const { out } = await cli.run(['log', '--task', 'search', '--json'])
    expect(out).toContain('"tool":"toolwright/grep"')
  })

  it('undo with a plan, and nothing where only reading is allowed', async () => {
    await cli.run(['write', 'a.ts', '--content', 'export const one = 11\n', '--yes'])
    expect((await cli.run(['undo', '--read-only'])).code).not.toBe(0)
    const [, plan = ''] = /Plan: (\S+)/.exec((await cli.run(['undo', '--dry-run'])).out) ?? []
    expect((await cli.run(['undo', '--plan', plan])).code).toBe(0)
    expect((await cli.run(['read', 'a.ts'])).out).toContain('one = 1\n')
  })

  it('fail in the same form as every other command', async () => {
    for (const args of [
      ['grep', 'one', 'nowhere'],
      ['find', '*', 'nowhere'],
      ['callers', 'one', '--file', 'nowhere.ts'],
      ['graph', 'MATCH', '--commit', 'nowhere'],
      ['index', '--transaction', 'nowhere', '--dry-run', '--plan', 'nowhere'],
    ]) {
      const { code, err } = await cli.run(args)
      expect([args[0], code, err]).toEqual([args[0], 1, expect.stringMatching(/^✗ .*\n(?: {2}.*\n)+$/)])
    }
  })

  it('say the whole line that shows the rest', async () => {
    const said = async (args: readonly string[]): Promise<string | undefined> =>
      /There is more: (.*)/.exec((await cli.run(args)).err)?.[1]
    expect(await said(['grep', '-e', '-x', '-e', 'export', '--limit', '1'])).toBe(
      'toolwright grep --regexp=-x --regexp export --limit 1 --skip 1',
    )
    await cli.run(['index', 'build'])
    expect(await said(['index', 'query', 'all', '--limit', '1'])).toBe('toolwright index query all --limit 1 --skip 1')
    const query = 'MATCH (f:File) RETURN f.path'
    expect(await said(['graph', query, '--limit', '1'])).toBe(`toolwright graph '${query}' --limit 10`)
  })
})
