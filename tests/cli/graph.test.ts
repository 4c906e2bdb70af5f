import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { useCli } from './rig.ts'

const cli = useCli({
  'a.ts': 'export function one() {}\n',
  'b.ts': "import { one } from './a.ts'\nexport function two() {\n  one()\n}\n",
})
const QUERY = 'MATCH (a)-[c:CALLS]->(b) RETURN a.id AS caller, b.id AS callee, c.line AS line'
const WITHOUT_RESIDENT = { env: { TOOLWRIGHT_RESIDENT: 'off' } }

it('prints a table and JSON', async () => {
  const table = await cli.run(['graph', QUERY], WITHOUT_RESIDENT)
  expect(table).toEqual({ code: 0, out: 'caller    callee    line\nb.ts#two  a.ts#one  3\n', err: '' })
  const json = await cli.run(['graph', QUERY, '--json'], WITHOUT_RESIDENT)
  expect(JSON.parse(json.out)).toMatchObject({
    ok: true,
    data: { rows: [{ caller: 'b.ts#two', callee: 'a.ts#one', line: 3 }] },
  })
})

it('compares two commits, and says how it is called', async () => {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: cli.workspace.path })
  const save = () => git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qam', 'change')
  git('init', '-q')
  git('add', '.')
  save()
  cli.workspace.write('b.ts', 'export function three() {}\n')
  save()
  const { code, out } = await cli.run(['graph', 'diff', 'HEAD~1', 'HEAD'], WITHOUT_RESIDENT)
  expect(code).toBe(0)
  expect(out).toBe(
    'functions: 1 came, 1 went\n+ b.ts#three\n- b.ts#two\ncalls: 0 came, 1 went\n- b.ts#two -> a.ts#one\n' +
      'exports: 1 came, 1 went\n+ b.ts: three\n- b.ts: two\n',
  )
  const same = await cli.run(['graph', 'diff', 'HEAD', 'HEAD'], WITHOUT_RESIDENT)
  expect([same.code, same.out.split('\n', 1)]).toEqual([1, ['functions: 0 came, 0 went']])
  expect((await cli.run(['graph'])).code).toBe(2)
  expect((await cli.run(['graph', 'DROP TABLE File'])).err).toContain('A query begins with MATCH')
})

it('takes the values of parameters, and refuses options that do not go together', async () => {
  const query = 'MATCH (f:Function) WHERE f.name = $name RETURN f.id'
  const found = await cli.run(['graph', query, '--params', '{"name": "two"}'], WITHOUT_RESIDENT)
  expect(found).toEqual({ code: 0, out: 'f.id\nb.ts#two\n', err: '' })
  expect(await cli.run(['graph', query, '--params', '{"name": "one", "name": "two"}'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--params has the key "name" twice in one object'),
  })
  for (const params of ['name', '["two"]', '7'])
    expect(await cli.run(['graph', query, '--params', params])).toMatchObject({
      code: 2,
      err: expect.stringContaining('--params wants a JSON object'),
    })
  expect(await cli.run(['graph', 'diff', 'HEAD', '--limit', '5'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--limit is for a query'),
  })
})

it('says which files could not be parsed', async () => {
  cli.workspace.write('deep.ts', `export const deep = ${'('.repeat(3000)}1${')'.repeat(3000)}\n`)
  const { code, err } = await cli.run(['graph', QUERY], WITHOUT_RESIDENT)
  expect([code, err]).toEqual([0, expect.stringContaining('Could not be parsed and is left out: deep.ts')])
})
