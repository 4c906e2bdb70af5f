// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { graphPackage } from '../../src/knowledge/code/graph/database/ladybug.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')
const here = join(import.meta.dirname, '../..')
const QUERY = 'MATCH (a)-[:CALLS]->(b) RETURN a.id AS caller, b.id AS callee'
let base: string
let workspace: TemporaryWorkspace

beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-installed-')))
  workspace = temporaryWorkspace({
    'tsconfig.json': '{ "compilerOptions": { "strict": true, "lib": ["esnext"] }, "include": ["src"] }',
    'src/a.ts': 'export function one(a: number) {\n  return a\n}\n',
    'src/b.ts': "import { one } from './a'\nexport const two = () => one(1)\n",
  })
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace.path })
  git('init', '-q')
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-q', '-m', 'one')
})

afterAll(async () => {
  await workspace.remove()
  rmSync(base, { recursive: true, force: true })
})

describe('the package as it is installed', () => {
  it('answers about callers and graphs, of the workspace and of a commit', async () => {
    const run = installed('whole')
    expect(await run('callers', 'one', '--file', 'src/a.ts')).toMatchObject({
      code: 0,
      out: expect.stringContaining('two'),
    })
    for (const more of [[], ['--commit', 'HEAD']]) {
      const { code, out } = await run('graph', QUERY, ...more, '--json')
      expect([code, JSON.parse(out).data.rows]).toEqual([0, [{ caller: 'src/b.ts#two', callee: 'src/a.ts#one' }]])
    }
  }, 120_000)

  it('says what to install where the graph database is not there for this platform, and answers everything else', async () => {
    const run = installed('without', name => !['@ladybugdb', 'kuzu'].includes(name))
    const { code, err } = await run('graph', QUERY)
    const name = graphPackage(`${process.platform}-${process.arch}`)
    expect([code, err]).toEqual([1, expect.stringContaining(`The graph database ${name} is not installed`)])
    expect(err).toContain(`npm install ${name}`)
    expect((await run('doctor')).out).toContain(`! Graphs: The graph database ${name} is not installed`)
    expect(await run('callers', 'one', '--file', 'src/a.ts')).toMatchObject({ code: 0 })
  }, 120_000)
})

/** The build among the packages that it depends on, and nothing of the sources near it. */
function installed(folder: string, isThere: (name: string) => boolean = () => true) {
  const packages = join(base, folder, 'node_modules')
  const own = join(packages, 'toolwright')
  mkdirSync(own, { recursive: true })
  for (const part of ['dist', 'package.json']) cpSync(join(here, part), join(own, part), { recursive: true })
  for (const name of readdirSync(join(here, 'node_modules')))
    if (!name.startsWith('.') && isThere(name)) symlinkSync(join(here, 'node_modules', name), join(packages, name))
  const env = { ...workspace.env, TOOLWRIGHT_STATE: join(base, folder, 'state') }
  return (...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>(resolve => {
      const program = join(own, 'dist/cli.cjs')
      execFile(process.execPath, [program, ...args], { cwd: workspace.path, env }, (error, out, err) =>
        resolve({ code: error ? Number(error.code) : 0, out, err }),
      )
    })
}
