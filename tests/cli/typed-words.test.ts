import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const CELL = { cell_type: 'code', source: ['1 + 1'], metadata: {}, outputs: [], execution_count: null }
const cli = useCli({
  'src/a.ts': 'export const hi = [1, 1, 1]\n',
  'n.ipynb': JSON.stringify({ cells: [CELL], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
})
const said = async (...args: readonly string[]): Promise<string> => {
  const { out, err } = await cli.run(args)
  return `${out}${err}`
}

describe('what a typed command says', () => {
  it('names options where a tool names parameters', async () => {
    expect(await said('read', 'n.ipynb')).toContain('--from and --to are cells')
    expect(await said('read', 'n.ipynb')).toContain('with --encoding utf-8')
    expect(await said('refactor', 'rename', 'hi')).toContain('rename and move need TO;')
    expect(await said('run')).toContain('Give exactly one of LINE FOR THE SHELL, PROGRAM and')
  })

  it('names the option that replaces all, and each line once', async () => {
    expect(await said('edit', 'src/a.ts', '1', '2', '--yes')).toContain(
      'It is at line 1: add text around it until it is unique, or replace all of them with --all.',
    )
  })

  it('says what helps at a terminal', async () => {
    expect(await said('read', '/etc/hosts')).toContain(
      'relative to the current directory. Another workspace: --root DIR',
    )
    await cli.run(['write', 'b.txt', '--content', 'b', '--yes'])
    expect(await said('undo', 'nope')).toContain('See what can be undone: toolwright undo --list')
  })

  it('names the open transactions if a call names none', async () => {
    expect(await said('stage', 'commit')).toContain('Begin one first: stage begin')
    const { result } = await cli.call('stage', { action: 'begin' })
    const missed = await said('stage', 'commit')
    expect(missed).toContain('Choose one: --transaction ID')
    expect(missed).toContain(result.meta.transaction)
    expect(missed).not.toContain('Begin one first')
  })

  it('names the option that lets a secret be read, whichever command needs it', async () => {
    cli.workspace.write('.env', 'KEY=1\n')
    for (const args of [
      ['read', '.env'],
      ['symbols', '.env'],
      ['context', '.env:1'],
    ])
      expect([args, await said(...args)]).toEqual([args, expect.stringContaining("--allow 'fs:read:.env'")])
    expect(await said('symbols', '.env', '--allow', 'fs:read:.env')).not.toContain('may not be read')
  })

  it('has the name that was typed', async () => {
    expect(await said('refs')).toContain("'refs' needs NAME: toolwright refs NAME [options]. Try: toolwright help refs")
    expect(await said('ls')).toContain('✓ ls (')
  })
})
