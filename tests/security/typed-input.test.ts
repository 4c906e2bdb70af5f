// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import type { Toolkit } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { git, repository } from '../process/git-world.ts'

const it = needs('bubblewrap', 'jq')

const SECRET = 'typed-3c91'
const ALLOWED = [
  ...`git less more man vim vi ed sqlite3 openssl gdb python3 node perl xargs sftp psql tclsh cat wc sort grep jq sed npm make tee head`.split(
    ' ',
  ),
  'timeout 5 ed',
  'timeout 5 wc',
]

/** Every program of the list is allowed by name; a committed file may not be read. */
function allowing(): TemporaryWorkspace {
  const workspace = repository({
    '.env': `KEY=${SECRET}\n`,
    big: Array.from({ length: 300 }, (_, at) => `line ${at}`).join('\n'),
    'package.json': JSON.stringify({ scripts: { test: 'cat' } }),
    'count.mjs': 'let n = 0\nfor await (const part of process.stdin) n += part.length\nconsole.log(n)\n',
  })
  for (let at = 0; at < 60; at++) git(workspace, 'commit', '-q', '--allow-empty', '-m', `more ${at}`)
  mkdirSync(join(workspace.base, 'config'), { recursive: true })
  const policy = {
    commands: { allow: ALLOWED },
    rules: [
      { action: 'read', path: '**/.env*', verdict: 'deny' },
      { action: 'write', path: '**', verdict: 'allow' },
    ],
  }
  writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy }))
  return workspace
}

const SHOW = 'git cat-file -p HEAD:.env'

describe('what a caller types to an allowed command', () => {
  let workspace: TemporaryWorkspace
  let kit: Toolkit
  beforeAll(async () => {
    workspace = allowing()
    kit = await workspace.open()
  })
  afterAll(() => workspace[Symbol.asyncDispose]())

  it.each<readonly [string, string]>([
    ['git log --oneline', `!${SHOW}\n\n\nq`],
    ['git log', `!${SHOW} > leak\n\n\nq`],
    ['git -P log', `!${SHOW}\n\nq`],
    ['git show --stat HEAD', `!${SHOW}\n\nq`],
    ['git branch -a', `!${SHOW}\n\nq`],
    ['less big', `!${SHOW}\n\nq`],
    ['less -N big', `|$${SHOW}\nq`],
    ['cat big | less', `!${SHOW}\n\nq`],
    ['more big', `!${SHOW}\n\nq`],
    ['man git', `!${SHOW}\n\nq`],
    ['vim big', `:!${SHOW}\n\n:q!\n`],
    ['vi big', `:r !${SHOW}\n:w leak\n:q!\n`],
    ['vim -R big', `:call system("${SHOW} > leak")\n:q!\n`],
    ['ed big', `!${SHOW}\nq\n`],
    ['timeout 5 ed big', `!${SHOW}\nq\n`],
    ['sqlite3', `.shell ${SHOW}\n`],
    ['sqlite3 x.db', `.sh ${SHOW}\n`],
    ['sqlite3 -batch x.db', `.system ${SHOW}\n.quit\n`],
    ['gdb -q', `shell ${SHOW}\nquit\n`],
    ['python3', `import os; os.system("${SHOW}")\n`],
    ['python3 -', `import os; os.system("${SHOW}")\n`],
    ['python3 /dev/stdin', `import os; os.system("${SHOW}")\n`],
    ['node', `require("child_process").execSync("${SHOW}",{stdio:"inherit"})\n`],
    ['node -', `require("child_process").execSync("${SHOW}",{stdio:"inherit"})\n`],
    ['node inspect count.mjs', `exec process.mainModule.require("child_process").execSync("${SHOW}")+""\n.exit\n`],
    ['perl', `system("${SHOW}")\n`],
    ['tclsh', `puts [exec ${SHOW}]\n`],
    ['openssl', 'enc -in .env\n'],
    ['sftp -b - localhost', `!${SHOW}\n`],
    ['psql', `\\! ${SHOW}\n`],
    ['make -f -', `all:\n\t${SHOW}\n`],
    ['sed -f - big', `1e ${SHOW}\n`],
    ['xargs git', 'cat-file -p HEAD:.env\n'],
    ['xargs -n3 git cat-file', '-p HEAD:.env\n'],
    ['git commit --allow-empty', `:!${SHOW} > leak\n:q!\n`],
    ['git cat-file --batch', 'HEAD:.env\n'],
  ])('%s starts nothing else, with a terminal and without', async (command, stdin) => {
    const before = workspace.snapshot()
    for (const terminal of [false, true]) {
      const outcome = await kit.call('run', { command, stdin, terminal, timeoutMs: 4000 })
      expect(JSON.stringify(outcome)).not.toContain(SECRET)
      expect(workspace.snapshot()).toEqual(before)
    }
  })

  it.each<readonly [string, string, string]>([
    ['cat', 'b\na\n', 'b\na\n'],
    ['cat -n -', 'b\n', '     1\tb\n'],
    ['wc -l', 'b\na\n', '2\n'],
    ['sort', 'b\na\n', 'a\nb\n'],
    ['grep a', 'b\na\n', 'a\n'],
    ['grep -f - big', 'line 299\n', 'line 299\n'],
    ['jq -c .', '{ "a": 1 }', '{"a":1}\n'],
    ['sed -n 2p', 'b\na\n', 'a\n'],
    ['sort | head -1', 'b\na\n', 'a\n'],
    ['timeout 5 wc -c', 'abc', '3\n'],
    ['node count.mjs', 'abcd', '4\n'],
    ['npm test --silent', 'a test run\n', 'a test run\n'],
    ['tee', 'a\n', 'a\n'],
  ])('%s takes data in silence', async (command, stdin, stdout) => {
    expect(await kit.call('run', { command, stdin })).toMatchObject({ ok: true, data: { stdout } })
  })

  it('is asked for each time, and not remembered with the line', async () => {
    const person = fakePerson('always', 'no')
    const asking = await workspace.open({ approve: person })
    const line = 'node -'
    expect(await asking.call('run', { command: line, stdin: 'console.log(1)' })).toMatchObject({
      data: { stdout: '1\n' },
    })
    expect(
      await asking.call('run', {
        command: line,
        stdin: `process.getBuiltinModule('child_process').execSync('${SHOW}')`,
      }),
    ).toMatchObject({ ok: false })
    expect(person.asked).toHaveLength(2)
    expect(person.asked[0]?.card.proposal).toBeUndefined()
  })
})

describe('what a caller types to a background command', () => {
  it('is asked for where the command may follow it, and silent where it is data', async () => {
    await using workspace = repository()
    mkdirSync(join(workspace.base, 'config'), { recursive: true })
    const policy = {
      commands: { allow: ['cat', 'ed'] },
      rules: [{ action: 'write', path: '**', verdict: 'allow' }],
    }
    writeFileSync(join(workspace.base, 'config/config.json'), JSON.stringify({ policy }))
    const kit = await workspace.open()
    const handleOf = async (command: string): Promise<string> => {
      const started = await kit.call('run', { command, background: true })
      expect(started).toMatchObject({ ok: true })
      return (started as { data: { handle: string } }).data.handle
    }
    const ed = await handleOf('ed a.txt')
    const typed = await kit.call('run', { handle: ed, action: 'write', input: '!touch typed\n' })
    expect(typed).toMatchObject({ ok: false, error: { code: 'rejected' } })
    const cat = await handleOf('cat')
    expect(await kit.call('run', { handle: cat, action: 'write', input: 'data\n' })).toMatchObject({ ok: true })
    expect(await kit.call('run', { handle: 'none', action: 'write', input: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'not_found' },
    })
    for (const handle of [ed, cat]) await kit.call('run', { handle, action: 'stop' })
    expect(Object.keys(workspace.snapshot())).not.toContain('typed')
  })
})
