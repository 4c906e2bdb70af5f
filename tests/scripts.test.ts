import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { npmEnvironment, withNode } from '../scripts/npm.mjs'
import { handOver, run } from '../scripts/run.mjs'
import { once, stateOf } from '../scripts/stamp.mjs'
import { MOST_FILES, secondRuns } from '../scripts/second-runs.ts'
import { missing } from '../scripts/system-packages.mjs'
import { summarize, type Report } from '../scripts/test-summary.ts'
import { runVitest, type VitestRun } from '../scripts/vitest-run.ts'
import { SLOW, suiteOf } from './suites.ts'

const root = dirname(import.meta.dirname)

describe('the summary of a test run', () => {
  const file = (name: string, endTime: number, ...statuses: readonly string[]): Report['testResults'][number] => ({
    name: join(root, name),
    endTime,
    status: statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: statuses.map((status, place) => ({ fullName: `t${place}`, status })),
  })
  const of = (testResults: Report['testResults'], exitCode = 0) =>
    summarize({ testResults }, { root, start: 1000, exitCode })

  it('counts what ran and names what did not', () => {
    const summary = of([
      file('src/a.test.ts', 2000, 'passed', 'failed', 'skipped'),
      file('tests/b.test.ts', 2500, 'todo'),
    ])
    expect(summary).toMatchObject({ passed: 1, failed: 1, leftOut: ['src/a.test.ts: t2', 'tests/b.test.ts: t0'] })
  })

  it('times the suites one after another, whatever order the files are in', () => {
    const files = [
      file('tests/architecture.test.ts', 9000, 'passed'),
      file('tests/security/a.test.ts', 7000, 'passed'),
      file('src/a.test.ts', 2000, 'passed'),
      file('src/b.test.ts', 3000, 'passed'),
    ]
    expect(of(files).suites).toEqual([
      { name: 'unit', ms: 2000 },
      { name: 'security', ms: 4000 },
      { name: 'whole', ms: 2000 },
    ])
  })

  it('gives the time of a suite that ended before the one that began first to that one', () => {
    const files = [file('src/a.test.ts', 4000, 'passed'), file('tests/security/a.test.ts', 3000, 'passed')]
    expect(of(files).suites).toEqual([
      { name: 'unit', ms: 3000 },
      { name: 'security', ms: 0 },
    ])
  })

  it('knows the suite of a file, the narrowest first', () => {
    const files = [
      'src/kernel/claim.test.ts',
      'tests/security/deep/paths.test.ts',
      'tests/docs.test.ts',
      'tests/conformance/printed/sage.test.ts',
      'tests/conformance/sage-files.test.ts',
      'tests/conformance/cli-agent/read-file.test.ts',
      'tests/measured/contracts.test.ts',
    ]
    expect(files.map(suiteOf)).toEqual(['unit', 'security', 'whole', 'whole', 'contracts', 'contracts', 'measured'])
  })

  it('starts files first that exist, each once', () => {
    expect(SLOW.filter(name => !existsSync(join(root, name)))).toEqual([])
    expect(new Set(SLOW).size).toBe(SLOW.length)
  })

  it('names the twenty slowest tests with their files', () => {
    const durations = Array.from({ length: 25 }, (_, place) => place)
    const timed = {
      ...file('src/a.test.ts', 2000),
      assertionResults: durations.map(duration => ({ fullName: `t${duration}`, status: 'passed', duration })),
    }
    const { slowest } = of([file('tests/b.test.ts', 2000, 'skipped'), timed])
    expect(slowest).toHaveLength(20)
    expect(slowest[0]).toEqual({ file: 'src/a.test.ts', name: 't24', ms: 24 })
    expect(slowest.at(-1)).toMatchObject({ ms: 5 })
  })

  it('counts a file that fails before its tests exist', () => {
    expect(of([{ ...file('src/a.test.ts', 2000), status: 'failed' }], 1)).toMatchObject({ passed: 0, failed: 1 })
  })

  it('counts a run that ends badly although every test passed', () => {
    expect(of([file('src/a.test.ts', 2000, 'passed')], 1)).toMatchObject({ passed: 1, failed: 1 })
  })
})

describe('a second run of what failed', () => {
  let folder: string
  beforeEach(() => {
    // Below the repository, where a test file finds vitest.
    mkdirSync(join(root, '.cache'), { recursive: true })
    folder = mkdtempSync(join(root, '.cache', 'second-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const importing = "import { existsSync, writeFileSync } from 'node:fs'\nimport { expect, it } from 'vitest'\n"
  const failsOnce = (marker: string, body: string): string => `${importing}
    const first = !existsSync(${JSON.stringify(marker)})
    writeFileSync(${JSON.stringify(marker)}, '')
    ${body}`
  /** Real runs of vitest over files that fail as they say. */
  const runOf = async (files: Readonly<Record<string, string>>) => {
    writeFileSync(join(folder, 'vitest.config.ts'), 'export default {}')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const options = { root: folder, folder, env: process.env, quiet: true }
    const first = await runVitest([], { ...options, name: 'first' })
    const alone: string[] = []
    const { run: last, unstable } = await secondRuns(first, folder, file => {
      alone.push(file)
      return runVitest([file], { ...options, name: `again-${file}` })
    })
    const summary = summarize(last.report, { root: folder, start: 0, exitCode: last.exitCode })
    return { summary, exitCode: last.exitCode, alone, unstable }
  }
  const marker = (name: string): string => join(folder, name)

  it('is green and named where a file passes alone', async () => {
    const { summary, exitCode, alone, unstable } = await runOf({
      'flaky.test.ts': failsOnce(marker('m'), "it('waits', () => expect(first).toBe(false)); it('adds', () => {})"),
      'good.test.ts': `${importing}it('works', () => {})`,
    })
    expect({ exitCode, alone }).toEqual({ exitCode: 0, alone: ['flaky.test.ts'] })
    expect(summary).toMatchObject({ passed: 3, failed: 0 })
    expect(unstable).toEqual([
      {
        file: 'flaky.test.ts',
        tests: ['waits'],
        first: expect.stringContaining('expected true to be false'),
        second: expect.stringMatching(/2 passed/),
      },
    ])
  })

  it('is red where a file fails twice, and names only the others', async () => {
    const { summary, exitCode, alone, unstable } = await runOf({
      'broken.test.ts': `${importing}it('works', () => expect(1).toBe(2)); it('adds', () => {})`,
      'flaky.test.ts': failsOnce(marker('m'), "it('waits', () => expect(first).toBe(false))"),
    })
    expect(exitCode).not.toBe(0)
    expect(alone.toSorted()).toEqual(['broken.test.ts', 'flaky.test.ts'])
    expect(unstable.map(({ file }) => file)).toEqual(['flaky.test.ts'])
    expect(summary).toMatchObject({ passed: 2, failed: 1 })
  })

  it('is red where the second run leaves out what failed', async () => {
    const { exitCode, unstable } = await runOf({
      'fewer.test.ts': failsOnce(marker('m'), "it('adds', () => {}); if (first) it('waits', () => expect(1).toBe(2))"),
      'skips.test.ts': failsOnce(marker('n'), "it('adds', () => {}); it.skipIf(!first)('x', () => expect(1).toBe(2))"),
    })
    expect(exitCode).not.toBe(0)
    expect(unstable).toEqual([])
  })

  it('knows files that fail before their tests exist, and errors outside of tests', async () => {
    const { summary, exitCode, unstable } = await runOf({
      'early.test.ts': failsOnce(marker('m'), "if (first) throw new Error('too early'); it('adds', () => {})"),
      'late.test.ts': failsOnce(
        marker('n'),
        "it('adds', async () => { if (first) { void Promise.reject(new Error('too late')); await new Promise(r => setTimeout(r, 50)) } })",
      ),
    })
    expect(exitCode).toBe(0)
    expect(summary).toMatchObject({ passed: 2, failed: 0 })
    expect(unstable.map(({ file, first }) => [file, first])).toEqual([
      ['early.test.ts', expect.stringContaining('too early')],
      ['late.test.ts', expect.stringContaining('too late')],
    ])
  })

  const failing = (count: number): VitestRun => ({
    exitCode: 1,
    report: {
      testResults: Array.from({ length: count }, (_, place) => ({
        name: join(root, `src/${place}.test.ts`),
        endTime: 1,
        status: 'failed',
        assertionResults: [{ fullName: 't', status: 'failed' }],
      })),
    },
    strays: [],
    output: '',
  })

  it.each([
    ['many files failed', failing(MOST_FILES + 1)],
    ['an error belongs to no file', { ...failing(1), strays: [{ message: 'gone', file: undefined }] }],
    ['no file failed', failing(0)],
  ])('is not made where %s', async (_, first) => {
    const alone: string[] = []
    const answer = await secondRuns(first, root, async file => {
      alone.push(file)
      return first
    })
    expect({ alone, answer }).toEqual({ alone: [], answer: { run: first, unstable: [] } })
  })
})

describe('the environment of npm', () => {
  it('drops what would change what is installed, or where', () => {
    const outer = {
      NODE_ENV: 'production',
      npm_config_prefix: '/elsewhere',
      npm_config_local_prefix: '/elsewhere',
      npm_config_omit: 'dev',
      npm_config_production: 'true',
      npm_config_engine_strict: 'true',
      npm_config_global: 'true',
    }
    expect(npmEnvironment(outer)).toEqual({})
  })

  it('keeps how the registry is reached', () => {
    const outer = {
      HOME: '/home/me',
      npm_config_registry: 'https://example.org',
      npm_config_https_proxy: 'http://127.0.0.1:1',
      npm_config_cache: '/cache',
      npm_config_prefer_offline: 'true',
      npm_config_offline: 'true',
      npm_config_userconfig: '/home/me/.npmrc',
      'npm_config_//example.org/:_authToken': 'x',
      'npm_config_@scope:registry': 'https://example.org',
    }
    expect(npmEnvironment(outer)).toEqual(outer)
  })

  it('puts the chosen Node first on PATH', () => {
    expect(withNode('/opt/node 24/bin/node')['PATH']).toMatch(/^\/opt\/node 24\/bin:/)
  })
})

describe('work that is done once', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'toolwright-scripts-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is repeated only when its inputs changed', async () => {
    let times = 0
    const work = async () => {
      times += 1
    }
    const input = join(folder, 'input')
    for (const text of ['a', 'a', 'b']) {
      writeFileSync(input, text)
      await once(join(folder, 'stamp'), stateOf([input]), work)
    }
    expect(times).toBe(2)
  })

  it('is repeated when it failed', async () => {
    const stamp = join(folder, 'stamp')
    await once(stamp, 'one', async () => {})
    await expect(once(stamp, 'two', () => Promise.reject(new Error('no network')))).rejects.toThrow('no network')
    let again = false
    await once(stamp, 'one', async () => {
      again = true
    })
    expect(again).toBe(true)
  })

  it('sees a file that was added, renamed or removed, and no test', () => {
    const states = [
      () => {},
      () => writeFileSync(join(folder, 'a.ts'), '1'),
      () => writeFileSync(join(folder, 'b.ts'), '1'),
      () => rmSync(join(folder, 'a.ts')),
    ].map(change => {
      change()
      return stateOf([folder])
    })
    expect(new Set(states).size).toBe(4)
    writeFileSync(join(folder, 'b.test.ts'), '1')
    expect(stateOf([folder])).toBe(states[3])
  })
})

describe('a child program', () => {
  const node = (script: string) => [process.execPath, ['-e', script]] as const

  it('passes its exit code on', async () => {
    expect(await handOver(...node('process.exit(7)'))).toBe(7)
  })

  it('gives the code of its signal when it was ended', async () => {
    expect(await handOver(...node('process.kill(process.pid, "SIGTERM")'))).toBe(143)
  })

  it('keeps its output for the one who asks', async () => {
    expect(await run(...node('console.log("out"); console.error("err"); process.exit(3)'))).toEqual({
      code: 3,
      output: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
    })
  })

  it('that does not exist is a failure, not a crash', async () => {
    expect(await run(join(root, 'no-such-program'), [])).toMatchObject({ code: 127 })
  })
})

describe('the system packages', () => {
  it('are missing when no folder on PATH holds their program', () => {
    const path = process.env['PATH']
    try {
      process.env['PATH'] = join(root, 'docs')
      expect(missing(['strace', 'git'])).toEqual(['strace', 'git'])
    } finally {
      process.env['PATH'] = path
    }
  })
})

describe('the lock files', () => {
  it.each([
    'package-lock.json',
    'tools/node/package-lock.json',
    'tools/graph/package-lock.json',
    'tools/mcp-clients/package-lock.json',
    'tools/chroma/package-lock.json',
    'tools/openapi/package-lock.json',
  ])('%s holds no address', file => {
    const text = readFileSync(join(root, file), 'utf8')
    expect(text).toContain('"integrity"')
    expect(text).not.toContain('"resolved"')
  })

  it('need no install script', () => {
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
    const scripted = Object.keys(packages).filter(name => packages[name].hasInstallScript)
    // Only a wasm file is read of it, which the build copies: the installed package never contains it.
    expect(scripted).toEqual(['node_modules/@tree-sitter-grammars/tree-sitter-kotlin'])
    expect(scripted.filter(name => packages[name].dev !== true)).toEqual([])
  })

  it.each([
    'package.json',
    'tools/mcp-clients/package.json',
    'tools/chroma/package.json',
    'tools/openapi/package.json',
  ])('pin every version of %s exactly', file => {
    const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync(join(root, file), 'utf8'))
    for (const version of Object.values({ ...dependencies, ...devDependencies, ...overrides }))
      expect(version).toMatch(/^(npm:[a-z]+@)?\d+\.\d+\.\d+(-[a-z]+\.\d+)?$/)
  })
})
