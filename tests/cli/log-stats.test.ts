import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n' })

describe('toolwright log --stats', () => {
  it('SG-08: counts calls, failures, refusals and changes by tool, for people and for programs', async () => {
    expect((await cli.run(['log', '--stats'])).out).toBe('Nothing was done here yet.\n')
    await cli.call('read', { path: 'a.txt' })
    await cli.call('read', { path: 'nope.txt' })
    await cli.call('write', { path: 'b.txt', content: 'b', expect: 'absent' })
    await cli.call('write', { path: 'b.txt', content: 'b', expect: 'absent' }, '--yes')
    const { out } = await cli.run(['log', '--stats'])
    const [head, read, write, total] = out.split('\n').map(line => line.trim().split(/ {2,}/))
    expect(head).toEqual(['tool', 'calls', 'failed', 'refused', 'dry runs', 'changes', 'answers', 'p50', 'p95'])
    expect(read?.slice(0, 6)).toEqual(['toolwright/read', '2', '1', '0', '0', '0'])
    expect(write?.slice(0, 6)).toEqual(['toolwright/write', '2', '0', '1', '0', '1'])
    expect(total?.slice(0, 6)).toEqual(['total', '4', '1', '1', '0', '1'])
    expect(JSON.parse((await cli.run(['log', '--stats', '--json'])).out)).toMatchObject({
      total: { calls: 4, failures: 1, refusals: 1, changed: 1 },
      tools: { 'toolwright/read': { calls: 2 } },
    })
    expect(JSON.parse((await cli.run(['log', '--stats', '--last', '1', '--json'])).out).total.calls).toBe(1)
  })
})
