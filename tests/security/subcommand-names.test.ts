// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { judgeCommand } from '../../src/guards/shell/judge-command.ts'
import { judgeStart } from '../../src/guards/shell/judge-start.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

interface NpmNames {
  readonly commands: readonly string[]
  readonly aliases: Readonly<Record<string, string>>
  deref(name: string): string | undefined
}

/** How the npm of this machine finds its commands. */
function npmNames(): NpmNames | undefined {
  const file = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map(place => join(place, 'npm'))
    .find(path => existsSync(path))
  const list = file === undefined ? '' : join(dirname(realpathSync(file)), '../lib/utils/cmd-list.js')
  if (!existsSync(list)) return undefined
  const names: NpmNames = createRequire(import.meta.url)(list)
  return names
}

/** Each runs the script `mark` of the package by a name of npm's own for `run`, `test` or `exec`. */
const STARTS = ['run', 'run-s', 'rum', 'urn', 'runScript'].map(name => `npm ${name} -s mark`)
const TESTS = ['t', 'tst', 'tes', 'urn test'].map(name => `npm ${name} -s`)
const EXECS = ['npm exe -c "echo x >> marks"', 'npm x -c "echo x >> marks"', 'npx -c "echo x >> marks"']

const names = npmNames()

describe.runIf(names)('a name that npm takes for a denied command', () => {
  it('is denied in the line and at the start, whatever its spelling', () => {
    if (!names) return
    const written = [...names.commands, ...Object.keys(names.aliases)]
    const begun = written.flatMap(name => Array.from(name, (_, at) => name.slice(0, at + 1)))
    const camel = written
      .filter(name => name.includes('-'))
      .map(name => name.replaceAll(/-(.)/g, (_, next: string) => next.toUpperCase()))
    const tried = [...new Set([...begun, ...camel])].flatMap(name => {
      const command = names.deref(name)
      return command === undefined ? [] : [{ name, command }]
    })
    expect(tried.length).toBeGreaterThan(300)
    const missed = tried.filter(({ name, command }) => {
      const rules = [{ id: command, verdict: 'deny' as const, prefix: ['npm', command] }]
      const start = { names: ['npm'], path: '/usr/bin/npm', isFixed: true, args: [name, 'x'] }
      const verdicts = [judgeCommand(`npm ${name} x`, { rules, fallback: 'allow' }), judgeStart(start, rules)]
      return verdicts.some(({ verdict }) => verdict !== 'deny')
    })
    expect(missed).toEqual([])
  })

  const each = (lines: readonly string[]): string =>
    lines.map((line, at) => `rm -f marks; ${line} >/dev/null 2>&1; test -e marks && echo ran ${at}`).join('\n')

  const ran = async (lines: readonly string[], deny: readonly string[]): Promise<readonly string[]> => {
    const scripts = { mark: 'echo x >> marks', test: 'echo x >> marks' }
    await using workspace = repository({
      'each.sh': each(lines),
      'package.json': JSON.stringify({ name: 'a', scripts }),
    })
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'], commands: [{ deny }] })
    const { outcome } = await kit.run('run', { command: 'bash each.sh', timeoutMs: 60_000 })
    if (!outcome.ok) throw outcome.error
    return (outcome.data as { stdout: string }).stdout.trim().split('\n').filter(Boolean)
  }

  it('does not start from a script', { timeout: 90_000 }, async () => {
    const lines = [...STARTS, ...TESTS, ...EXECS]
    expect(await ran(lines, [])).toHaveLength(lines.length)
    expect(await ran(lines, ['npm run', 'npm test', 'npm exec'])).toEqual([])
  })
})
