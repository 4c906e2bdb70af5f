import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({
  '.git/HEAD': 'ref: refs/heads/main\n',
  'a.ts': 'export const one = 1\n',
  'src/b.ts': 'export const two = 2\n',
  'src/deep/c.ts': '',
})

describe('a directory that is no workspace', () => {
  it('is the home directory and what is above it, wherever the state is kept', async () => {
    for (const [cwd, home] of [
      ['src', 'src'],
      ['src', 'src/deep'],
    ] as const) {
      const { code, err } = await cli.run(['list'], { cwd, env: { HOME: join(cli.workspace.path, home) } })
      expect([code, err]).toEqual([2, expect.stringContaining('it is the home directory or above')])
    }
  })

  it('is one around the state, in words about the state', async () => {
    const state = join(cli.workspace.path, '.st')
    const { err } = await cli.run(['list'], { env: { TOOLWRIGHT_STATE: state } })
    expect(err).toContain('.st')
    expect(err).not.toContain('home')
    const withRoot = await cli.run(['list', '--root', cli.workspace.path], { env: { TOOLWRIGHT_STATE: state } })
    expect(withRoot.err).toBe(err)
  })
})

describe('paths seen from the current directory', () => {
  it('are those of directories around it by their names', async () => {
    expect((await cli.run(['list', '..'], { cwd: 'src' })).out).toMatch(/^\.\.\/src\/$/m)
    expect((await cli.run(['list', '../..'], { cwd: 'src/deep' })).out).toMatch(/^\.\.\/\.\.\/src\/$/m)
  })

  it('stand in failures as they were typed', async () => {
    expect((await cli.run(['read', 'nope.ts'], { cwd: 'src' })).out).toContain("✗ 'nope.ts' does not exist")
    expect((await cli.run(['grep', 'one', 'nope.ts'], { cwd: 'src' })).err).toContain("✗ 'nope.ts' does not exist")
  })

  it('are none for an answer that is kept', async () => {
    cli.workspace.write('long.txt', `line ${'x'.repeat(300)}\n`.repeat(2_000))
    const { result } = await cli.call('grep', { pattern: 'line', limit: 2000, path: 'long.txt' })
    expect(result.meta.ref).toMatch(/^ref:/)
    const { code, out } = await cli.run(['read', result.meta.ref])
    expect([code, out]).toEqual([0, expect.not.stringContaining('Location:')])
  })
})
