// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

type Rule = Readonly<Record<string, unknown>>
type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>]

const ask = (action: string, path: string): Rule => ({ action, path, verdict: 'ask' })
const askCommand = (command: string): Rule => ({ action: 'exec', command, verdict: 'ask' })
const askHost = (host: string): Rule => ({ action: 'net', host, verdict: 'ask' })
const write = (path: string): Call => ['write', { path, content: 'x\n', expect: 'absent' }]
const run = (command: string, hosts: readonly string[] = []): Call => ['run', { command, hosts }]
const hunk = (path: string): string => `--- a/${path}\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`
const added = (...paths: readonly string[]): Call => [
  'patch',
  { diff: paths.map(path => hunk(path).replace(`a/${path}`, '/dev/null')).join('') },
]

interface Row {
  /** Rules when a person says always to the first call, and those that are added before the second. */
  readonly before?: readonly Rule[]
  readonly since?: readonly Rule[]
  readonly first: Call
  readonly second: Call
  /** Whether the second call is asked about. */
  readonly asks: boolean
}

/** The first call leaves out/one.txt, the second one out/two.txt. */
const ROWS: Readonly<Record<string, Row>> = {
  'a new rule beside the one that asked': {
    before: [ask('write', 'out/**')],
    since: [ask('write', 'out/t*.txt')],
    first: write('out/one.txt'),
    second: write('out/two.txt'),
    asks: true,
  },
  'two new rules beside the one that asked': {
    before: [ask('write', 'out/**')],
    since: [ask('create', 'out/**'), ask('write', '**/two.txt')],
    first: write('out/one.txt'),
    second: write('out/two.txt'),
    asks: true,
  },
  'a new rule for another file of the same kind': {
    before: [ask('write', 'out/**')],
    since: [ask('write', 'out/three.txt')],
    first: write('out/one.txt'),
    second: write('out/two.txt'),
    asks: false,
  },
  'a new rule about the second file of a patch': {
    since: [ask('write', 'out/two.txt')],
    first: added('lib/one.txt', 'out/one.txt'),
    second: added('lib/two.txt', 'out/two.txt'),
    asks: true,
  },
  'no new rule about the second file of a patch': {
    since: [ask('write', 'lib/other.txt')],
    first: added('lib/one.txt', 'out/one.txt'),
    second: added('lib/two.txt', 'out/two.txt'),
    asks: false,
  },
  'a new rule about where a file is moved': {
    since: [ask('create', 'out/two.txt')],
    first: ['move', { from: 'a.txt', to: 'out/two.txt' }],
    second: ['move', { from: 'a.txt', to: 'out/two.txt' }],
    asks: true,
  },
  'a new rule about a narrower command': {
    before: [askCommand('cp a.txt')],
    since: [askCommand('cp a.txt out/two.txt')],
    first: run('cp a.txt out/two.txt'),
    second: run('cp a.txt out/two.txt'),
    asks: true,
  },
  'a new rule about the last command of a line': {
    before: [askCommand('echo')],
    since: [askCommand('cp')],
    first: run('echo a; cp a.txt out/two.txt'),
    second: run('echo a; cp a.txt out/two.txt'),
    asks: true,
  },
  'a new rule about a command inside of another': {
    before: [askCommand('sh')],
    since: [askCommand('cp')],
    first: run("sh -c 'cp a.txt out/two.txt'"),
    second: run("sh -c 'cp a.txt out/two.txt'"),
    asks: true,
  },
  'the same rules about a line': {
    before: [askCommand('echo'), askCommand('cp')],
    since: [askCommand('rm')],
    first: run('echo a; cp a.txt out/two.txt'),
    second: run('echo a; cp a.txt out/two.txt'),
    asks: false,
  },
  'a new rule about a host of a command': {
    since: [askHost('packages.example.com')],
    first: run('cp a.txt out/two.txt', ['packages.example.com']),
    second: run('cp a.txt out/two.txt', ['packages.example.com']),
    asks: true,
  },
  'a new rule about another host': {
    since: [askHost('other.example.com')],
    first: run('cp a.txt out/two.txt', ['packages.example.com']),
    second: run('cp a.txt out/two.txt', ['packages.example.com']),
    asks: false,
  },
  'a new deny that the line may hide': {
    since: [{ action: 'exec', command: 'git push', verdict: 'deny' }],
    first: run('x=$(cat a.txt); git $x; cp a.txt out/two.txt'),
    second: run('x=$(cat a.txt); git $x; cp a.txt out/two.txt'),
    asks: true,
  },
  'fewer rules than asked then': {
    before: [ask('write', 'out/**'), ask('create', '**/*.txt')],
    first: write('out/one.txt'),
    second: write('out/two.txt'),
    asks: false,
  },
}

describe('always answers every rule that asked then, and no other', () => {
  it.for(Object.entries(ROWS))('%s', async ([, { before = [], since = [], first, second, asks }]) => {
    await using workspace = repository({ 'a.txt': 'one\n', 'out/kept.md': 'kept\n' })
    const file = join(workspace.base, 'config.json')
    const config = (rules: readonly Rule[]): void => {
      // What a command changes is not asked about here.
      const permissions = [first, second].some(([tool]) => tool === 'run') ? ['fs:write'] : []
      writeFileSync(file, JSON.stringify({ permissions, policy: { rules } }))
    }
    config(before)
    let count = 0
    const always = await workspace.open({ config: file, approve: () => (count++, { answer: 'always', by: 'ada' }) })
    await always.run(...first)
    await always.close()
    expect(count, 'asked at first').toBe(1)

    const undo = await workspace.open({ permissions: ['fs:write'], approve: () => ({ answer: 'yes', by: 'ada' }) })
    await undo.run('undo', {})
    await undo.close()
    config([...before, ...since])
    count = 0
    const no = await workspace.open({ config: file, approve: () => (count++, { answer: 'no', by: 'ada' }) })
    await no.run(...second)
    expect([count, existsSync(join(workspace.path, 'out/two.txt'))]).toEqual(asks ? [1, false] : [0, true])
  })
})
