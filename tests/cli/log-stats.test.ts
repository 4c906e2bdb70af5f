import { describe, expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({ 'a.txt': 'one\n' })

describe('toolwright log --stats', () => {
  it('SG-08: counts calls, failures, refusals and changes by tool, for people and for programs', async () => {
    expect((await cli.run(['log', '--stats'])).out).toBe('No calls recorded here yet.\n')
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

  it('SC-14: metrics that cannot be written are told of, though the answer has no place for it', async () => {
    cli.workspace.write('superconnect', 'a file\n')
    const given = ['--contract', 'superconnect', '--component', 'Button', '--json']
    const { code, out, err } = await cli.run(['call', 'readFile', '{"path":"a.txt"}', ...given])
    expect([code, JSON.parse(out).content]).toEqual([0, 'one\n'])
    expect(err).toMatch(/^Warning: The metrics of this call could not be written: .*superconnect/)
    const request = JSON.stringify({ tool: 'readFile', input: { path: 'a.txt' } })
    const lines = await cli.run(['call', '--jsonl', ...given.slice(0, 4)], { input: `${request}\n` })
    expect(lines.err).toContain('could not be written')
  })

  it('SC-15, SC-16: gives the figures that a document asks for, as a table and as JSON', async () => {
    const stats = ['log', '--stats', '--contract', 'superconnect']
    expect((await cli.run(stats)).out).toBe("No calls of the tools of 'superconnect' recorded here yet.\n")
    const call = (tool: string, input: object, component: string) =>
      cli.call(tool, input, '--contract', 'superconnect', '--component', component)
    await call('queryIndex', { query: { type: 'listAll' } }, 'Button')
    await call('readFile', { path: 'a.txt' }, 'Button')
    await call('readFile', { path: 'a.txt' }, 'Link')
    await call('readFile', { path: 'nope.txt' }, 'Link')
    await call('listFiles', { directory: '.' }, 'Link')
    const { out, code } = await cli.run(stats)
    expect([code, out.split('\n').map(line => line.trim().split(/ {2,}/))]).toEqual([
      0,
      [
        ['components', 'query_index_calls', 'read_file_calls', 'read_file_bytes', 'list_files_calls', 'cache_hits'],
        ['Button', '1', '1', '4', '0', '0'],
        ['Link', '0', '2', '4', '1', '0'],
        [''],
        ['run'],
        ['total_query_calls', '1'],
        ['total_file_reads', '3'],
        ['avg_reads_per_component', '1.5'],
        ['index_first_ratio', '50'],
        [''],
      ],
    ])
    expect(JSON.parse((await cli.run([...stats, '--json'])).out)).toEqual({
      components: {
        Button: { query_index_calls: 1, read_file_calls: 1, read_file_bytes: 4, list_files_calls: 0, cache_hits: 0 },
        Link: { query_index_calls: 0, read_file_calls: 2, read_file_bytes: 4, list_files_calls: 1, cache_hits: 0 },
      },
      run: { total_query_calls: 1, total_file_reads: 3, avg_reads_per_component: 1.5, index_first_ratio: 50 },
    })
  })

  it.each([
    ['sage', 2, 'defines no figures'],
    ['nobody', 2, 'nobody'],
  ])('has no such figures for %s', async (contract, code, said) => {
    const { err, ...ended } = await cli.run(['log', '--stats', '--contract', contract])
    expect(ended).toEqual({ code, out: '' })
    expect(err).toContain(said)
  })
})
