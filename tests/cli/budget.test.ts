import { expect, it, vi } from 'vitest'
import { lines, useCli } from './rig.ts'

const cli = useCli({ 'src/a.ts': 'one\n' })
const list = (component: string) =>
  cli.run(['call', 'listFiles', '{"directory":"src"}', '--contract', 'superconnect', '--component', component])

it('SC-12: a person gives a component its budget back, the refusal says how, and the journal who did', async () => {
  for (let at = 0; at < 10; at++) expect((await list('Button')).code).toBe(0)
  expect((await list('Link')).code).toBe(0)
  const refused = await list('Button')
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('toolwright budget reset Button')])

  const spent = (task: string, calls: number) => ({
    task,
    tool: 'superconnect/listFiles',
    calls,
    bytes: 120 * calls,
    concurrent: 0,
  })
  expect(lines((await cli.run(['budget', '--json'])).out)).toEqual([[spent('Button', 10), spent('Link', 1)]])
  expect((await cli.run(['budget'])).out).toBe(
    'Button  superconnect/listFiles  10 calls, 1.2 kB\nLink  superconnect/listFiles  1 call, 120 bytes\n',
  )

  expect(await cli.run(['budget', 'reset', 'Button'])).toEqual({
    code: 0,
    out: "Given back to 'Button': superconnect/listFiles  10 calls, 1.2 kB\n",
    err: '',
  })
  const records = lines((await cli.run(['log', '--json'])).out).filter(({ type }) => type === 'budget')
  expect(records).toMatchObject([
    {
      change: 'reset',
      task: 'Button',
      spent: [{ tool: 'superconnect/listFiles', calls: 10, bytes: 1200 }],
      by: 'ada',
    },
  ])
  expect((await list('Button')).code).toBe(0)
  expect(lines((await cli.run(['budget', '--json'])).out)).toEqual([[spent('Button', 1), spent('Link', 1)]])
  expect((await cli.run(['log', 'verify'])).code).toBe(0)
})

it('SC-10, SC-12: single calls share one budget until an hour after the last', async () => {
  const single = () => cli.run(['call', 'listFiles', '{"directory":"src"}', '--contract', 'superconnect'])
  for (let at = 0; at < 10; at++) expect((await single()).code).toBe(0)
  const refused = await single()
  expect([refused.code, refused.out]).toEqual([
    1,
    expect.stringContaining('toolwright budget reset default/command-line'),
  ])
  const refusedAt = Date.now()
  const clock = vi.spyOn(Date, 'now')
  try {
    clock.mockReturnValue(refusedAt + 59 * 60_000)
    expect((await single()).code).toBe(1)
    clock.mockReturnValue(refusedAt + 61 * 60_000)
    expect((await single()).code).toBe(0)
  } finally {
    clock.mockRestore()
  }
})

it('says where nothing is spent, and writes nothing down then', async () => {
  expect((await cli.run(['budget'])).out).toBe('Nothing is spent.\n')
  expect(await cli.run(['budget', 'reset', 'Nobody'])).toMatchObject({
    code: 1,
    out: "'Nobody' has spent nothing here.\n",
  })
  expect((await cli.run(['log', '--json'])).out).toBe('')
})

it.each([['reset'], ['reset', 'a', 'b'], ['list', 'a'], ['raise', 'a']])('refuses budget %s %s', async (...args) => {
  expect(await cli.run(['budget', ...args])).toMatchObject({ code: 2, err: expect.stringContaining('help budget') })
})
