import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'src/a.ts': 'export const a = 1\n' })
const input = { path: 'src/a.ts' }
const kept = () => globSync(join(cli.workspace.base, 'state/workspaces/*/index'))

it('SC-18: a call by itself reads a file without listing the workspace for a cache that ends with it', async () => {
  const { code, result } = await cli.call('readFile', input, '--contract', 'superconnect', '--component', 'Button')
  expect([code, result]).toEqual([
    0,
    { path: 'src/a.ts', content: 'export const a = 1\n', size_bytes: 19, truncated: false, encoding: 'utf-8' },
  ])
  expect(kept()).toEqual([])
})

it('SC-18: lines of one input are one session, which remembers', async () => {
  const line = `${JSON.stringify({ tool: 'readFile', input })}\n`
  const asked = ['call', '--jsonl', '--contract', 'superconnect', '--component', 'Button']
  const { code, out } = await cli.run(asked, { input: line.repeat(2) })
  expect([code, lines(out).map(({ cached }) => cached)]).toEqual([0, [undefined, true]])
  expect(kept()).toHaveLength(1)
})
