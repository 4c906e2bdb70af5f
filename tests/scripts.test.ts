import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { npmEnvironment, withNode } from '../scripts/npm.mjs'
import { handOver, run } from '../scripts/run.mjs'
import { once, stateOf } from '../scripts/stamp.mjs'
import { missing } from '../scripts/system-packages.mjs'
import { summarize, type Report } from '../scripts/test-summary.ts'
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

  it.each(['package.json', 'tools/mcp-clients/package.json', 'tools/chroma/package.json'])(
    'pin every version of %s exactly',
    file => {
      const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync(join(root, file), 'utf8'))
      for (const version of Object.values({ ...dependencies, ...devDependencies, ...overrides }))
        expect(version).toMatch(/^(npm:[a-z]+@)?\d+\.\d+\.\d+$/)
    },
  )
})
