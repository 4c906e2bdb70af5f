// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { ToolkitOptions } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'

const it = needs('bubblewrap')

type Rules = readonly Readonly<Record<string, unknown>>[]

/** Commands are allowed but for these rules. */
async function opened(workspace: TemporaryWorkspace, rules: Rules, options: Partial<ToolkitOptions> = {}) {
  const policy = { rules: rules.map(rule => ({ action: 'exec', ...rule })) }
  const config = join(workspace.base, 'rules.json')
  writeFileSync(config, JSON.stringify({ policy }))
  const records: Readonly<Record<string, unknown>>[] = []
  const kit = await workspace.open({
    config,
    permissions: ['exec', 'fs:write'],
    onRecord: record => void records.push({ ...record }),
    ...options,
  })
  const call = async (input: object): Promise<Outcome> => (await kit.run('run', input)).outcome
  return { call, records, run: (command: string) => call({ command }) }
}

interface Printed {
  readonly exitCode?: number
  readonly stdout: string
  readonly stderr: string
  readonly handle?: string
  readonly running?: boolean
}

const data = (outcome: Outcome): Printed => {
  if (!outcome.ok) throw outcome.error
  return outcome.data as Printed
}

const DENY = { command: 'git push', verdict: 'deny', id: 'no-push' }
const ASK = { command: 'git tag', verdict: 'ask', id: 'tags' }

describe('a step of git that a rule denies', () => {
  it.each([
    ['git stash', 'git reset --hard'],
    ['sh stash.sh', 'git reset --hard'],
    ['echo x > late.txt; git stash -u || true; git stash list', 'git reset --hard'],
    ['git pull -q --no-rebase . other', 'git merge'],
  ])('leaves nothing of %s, and the answer is no', async (command, denied) => {
    await using workspace = repository({ 'stash.sh': 'git stash\n' })
    git(workspace, 'checkout', '-q', '-b', 'other')
    git(workspace, 'commit', '-q', '--allow-empty', '-m', 'other')
    git(workspace, 'checkout', '-q', 'main')
    git(workspace, 'commit', '-q', '--allow-empty', '-m', 'more')
    workspace.write('a.txt', 'changed\n')
    const refs = git(workspace, 'for-each-ref')
    const { run, records } = await opened(workspace, [{ command: denied, verdict: 'deny' }])
    const outcome = await run(command)
    expect(outcome).toMatchObject({ ok: false, error: { code: 'denied', message: expect.stringContaining(denied) } })
    expect(outcome.ok ? '' : outcome.error.hint).toContain('"depth": "line"')
    expect(workspace.read('a.txt')).toBe('changed\n')
    expect(Object.keys(workspace.snapshot())).not.toContain('late.txt')
    expect(git(workspace, 'for-each-ref')).toBe(refs)
    expect(records.at(-1)).toMatchObject({ refused: [{ command: expect.stringContaining(denied) }] })
  })

  it('is left alone by a rule about the line, and upkeep is no step', async () => {
    await using workspace = repository()
    workspace.write('a.txt', 'changed\n')
    const line = await opened(workspace, [{ command: 'git reset --hard', verdict: 'deny', depth: 'line' }])
    expect(data(await line.run('git stash'))).toMatchObject({ exitCode: 0 })
    expect(workspace.read('a.txt')).toBe('one\n')
    const upkeep = await opened(workspace, [
      { command: 'git gc', verdict: 'deny' },
      { command: 'git maintenance', verdict: 'deny' },
    ])
    expect(data(await upkeep.run('echo x > new.txt; git add new.txt; git commit -qm new'))).toMatchObject({
      exitCode: 0,
    })
    expect(git(workspace, 'log', '-1', '--format=%s')).toBe('new')
  })
})

describe('a program that a rule denies', () => {
  it('ends with status 126 and the reason; answer and record tell of it with the programs that led there', async () => {
    await using workspace = repository({
      Makefile: 'all:\n\t@sh ./deploy.sh; echo status $$?\n',
      'deploy.sh': 'git push\n',
    })
    const { run, records } = await opened(workspace, [{ ...DENY, why: 'releases are made by people' }])
    const outcome = await run('make; git --version >out.txt')
    expect(data(outcome)).toMatchObject({ exitCode: 0, stdout: 'status 126\n' })
    expect(data(outcome).stderr).toBe(
      "toolwright: 'git push' may not start: it is denied (releases are made by people)\n",
    )
    expect(outcome.meta.warnings).toEqual([
      expect.stringMatching(
        /^'git push' did not start: it is denied \(releases .*\); started by .* → make → .*deploy\.sh$/,
      ),
    ])
    expect(records.at(-1)).toMatchObject({
      refused: [{ command: 'git push', rule: 'user:no-push', chain: expect.arrayContaining(['make']) }],
    })
    expect(workspace.read('out.txt')).toContain('git version')
  })

  it('starts below the line where the rule is about the line alone', async () => {
    await using workspace = repository({ 'clean.sh': 'rm -rf old\n', 'old/a': 'a' })
    const { run } = await opened(workspace, [{ command: 'rm -rf', verdict: 'deny', depth: 'line' }])
    expect((await run('rm -rf old')).ok).toBe(false)
    expect(data(await run('sh clean.sh')).exitCode).toBe(0)
    expect(readdirSync(workspace.path)).not.toContain('old')
    const { run: strict } = await opened(workspace, [{ command: 'rm -rf', verdict: 'deny' }])
    workspace.write('old/a', 'a')
    expect(data(await strict('sh clean.sh')).exitCode).toBe(126)
    expect(readdirSync(workspace.path)).toContain('old')
  })

  it('does not start in the background either, and polling says so', async () => {
    await using workspace = repository({ 'deploy.sh': 'git push; git tag x; echo over\n' })
    const { call } = await opened(workspace, [DENY, ASK, { action: 'write', path: '**', verdict: 'allow' }], {
      approve: fakePerson('yes'),
    })
    const { handle } = data(await call({ command: 'sh deploy.sh', background: true }))
    let outcome = await call({ handle })
    for (let left = 100; left > 0 && data(outcome).running; left--)
      outcome = await new Promise(resolve => setTimeout(() => resolve(call({ handle })), 50))
    const printed = data(await call({ handle, action: 'read' })).stdout
    expect(printed).toMatch(
      /'git push' may not start.*\n.*'git tag x' may not start: .* no one can be asked here\nover/,
    )
    expect(outcome.meta.warnings?.join('\n')).toMatch(/'git push' did not start.*\n'git tag x' did not start/)
  })

  it('does not start with a terminal either', async () => {
    await using workspace = repository({ 'deploy.sh': 'git push; echo status $?\n' })
    const { call } = await opened(workspace, [DENY])
    expect(data(await call({ command: 'sh deploy.sh', terminal: true })).stdout).toMatch(/may not start.*\s+status 126/)
  })
})

describe('a program that a rule asks about', () => {
  const script = { 'release.sh': 'git tag one; git tag two; git tag -l\n' }

  it('is asked about once in a call, with the programs that led there', async () => {
    await using workspace = repository(script)
    const person = fakePerson('yes')
    const { run } = await opened(workspace, [ASK], { approve: person })
    expect(data(await run('sh release.sh')).stdout).toBe('one\ntwo\n')
    expect(person.asked.map(({ card }) => card.why)).toEqual([
      expect.stringMatching(/^exec git tag one, started by .*sh release\.sh: rule user:tags$/),
    ])
    await run('sh release.sh')
    expect(person.asked).toHaveLength(2)
  })

  it('does not start if the answer is no, or no one can be asked', async () => {
    await using workspace = repository(script)
    for (const approve of [fakePerson('no'), undefined]) {
      const { run } = await opened(workspace, [ASK], approve && { approve })
      const outcome = await run('sh release.sh; echo status $?')
      expect(data(outcome).stdout).toBe('status 126\n')
      expect(data(outcome).stderr).toContain(approve ? 'the answer was no' : 'no one can be asked here')
      expect(outcome.meta.warnings).toHaveLength(3)
    }
  })

  it('is not asked about again where the approved line shows it', async () => {
    await using workspace = repository({ 'more.sh': 'git tag more\n' })
    const person = fakePerson('yes')
    const { run } = await opened(workspace, [ASK], { approve: person })
    expect(data(await run('git tag here && sh more.sh && git tag -l')).stdout).toBe('here\nmore\n')
    expect(person.asked).toHaveLength(1)
  })

  it('is not asked about again where an answer is remembered for it', async () => {
    await using workspace = repository({ 'release.sh': 'git tag -f one\n' })
    const person = fakePerson('always', 'no')
    const { run } = await opened(workspace, [ASK], { approve: person })
    for (let round = 0; round < 2; round++) expect(data(await run('sh release.sh')).exitCode).toBe(0)
    expect(person.asked).toHaveLength(1)
  })

  it('does not use up the time of its command while a person decides', async () => {
    await using workspace = repository(script)
    const slow = fakePerson('yes')
    const { call } = await opened(workspace, [ASK], {
      approve: async question => {
        await new Promise(resolve => setTimeout(resolve, 5_500))
        return slow(question)
      },
    })
    expect(data(await call({ command: 'sh release.sh', timeoutMs: 5_000 })).stdout).toBe('one\ntwo\n')
  })
})

describe('programs that rules name and allow', () => {
  it('run as if nothing stood in their place', async () => {
    await using workspace = repository({
      'node_modules/x/cli.js': '#!/usr/bin/env node\nconsole.log("module", require("./beside"))\n',
      'node_modules/x/beside.js': 'module.exports = process.argv.length\n',
    })
    const names = ['git', 'node', 'npm', 'python3', 'sh', 'bash', 'env', 'make', 'cat', 'rm', 'perl']
    const { run } = await opened(workspace, [
      DENY,
      ...names.map(name => ({ command: `${name} --never-given`, verdict: 'deny' })),
    ])
    const lines = {
      'git log --format=%s': 'first\n',
      'git -c alias.l="log --format=%h%s" l | cut -c8-': 'first\n',
      'git stash push -q; git stash list': '',
      'node -p "process.argv0.split(/[/]/).pop() + process.argv.length"': 'node1\n',
      'node node_modules/x/cli.js': 'module 2\n',
      'npm --version | grep -c .': '1\n',
      'python3 -m venv --without-pip v && v/bin/python -c "import sys; print(sys.prefix == sys.path[0] or sys.prefix.endswith(chr(118)))"':
        'True\n',
      'env -i A=1 sh -c "echo \\$A"': '1\n',
      'f() { echo function; }; export -f f; bash -c f': 'function\n',
      'echo in | cat': 'in\n',
      'sh -c "exit 7"; echo $?': '7\n',
      'exec 2>/dev/null; sh -c "kill -TERM \\$\\$"; echo $?': '143\n',
      'perl -e "print join(q(|), @ARGV)" -- "a b" "" "c\nd" | od -c | head -1 | tr -s " "': '0000000 a b | | c \\n d\n',
      'cat <(echo fd) 3</dev/null; (exec 9>/tmp/nine; git --version >&9); wc -l </tmp/nine': 'fd\n1\n',
      'seq 60 | xargs -P 12 -I% git -c x.y=% rev-parse --is-inside-work-tree | sort | uniq -c | tr -s " "':
        ' 60 true\n',
    }
    Object.keys(lines).forEach((line, at) => workspace.write(`lines/${at + 10}`, line))
    workspace.write('each.sh', 'for file in lines/*; do bash $file; echo ---; done')
    const outcome = await run('bash each.sh')
    const printed = data(outcome).stdout.split('---\n').slice(0, -1)
    expect(Object.fromEntries(Object.keys(lines).map((line, at) => [line, printed[at]]))).toEqual(lines)
    expect([data(outcome).stderr, outcome.meta.warnings ?? []]).toEqual(['', []])
  })

  it('leave one directory of pipes for the next command, and none of them open', async () => {
    await using workspace = repository()
    const { run } = await opened(workspace, [{ ...DENY, command: 'git gc' }])
    const left = async () => {
      expect(data(await run('git status')).exitCode).toBe(0)
      await new Promise(resolve => setImmediate(resolve))
      const directories = readdirSync(tmpdir()).filter(name => name.startsWith(`toolwright-starts-${process.pid}-`))
      const open = readdirSync('/proc/self/fd').filter(fd => openedAs(fd).includes('toolwright-starts-'))
      return { directories, open }
    }
    const first = await left()
    expect(first.open).toEqual([])
    expect(await left()).toEqual(first)
  })
})

const openedAs = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}
