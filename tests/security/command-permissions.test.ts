// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { createBashTool } from '../../src/contracts.ts'
import type { TemporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const FILES = {
  'a.txt': 'TOP a\n',
  'b.txt': 'seen b\n',
  'bin/tool.sh': 'TOP tool\n',
  'src/main.ts': 'one\n',
  'src/deep/x.ts': 'two\n',
  'lib/kept.ts': 'TOP lib\n',
  'dist/old.js': 'TOP dist\n',
  '.gitignore': 'dist\nnode_modules\n',
}

describe('SG-07: permissions of the library hold for what a command sees and changes', () => {
  let base = ''
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'toolwright-permissions-'))
    vi.stubEnv('TOOLWRIGHT_STATE', join(base, 'state'))
    vi.stubEnv('TOOLWRIGHT_CONFIG_HOME', join(base, 'config'))
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(base, { recursive: true, force: true })
  })
  const bash = (workspace: TemporaryWorkspace, permissions: string[], command: string, more: object = {}) =>
    createBashTool().execute({ command }, { cwd: workspace.path, permissions, ...more })

  const SRC_ONLY = ['exec', 'fs:read', 'fs:write:src/**']
  const OUTSIDE_SRC = [
    'echo x > a.txt',
    'echo x >> lib/kept.ts',
    'rm a.txt',
    'mv a.txt src/a.txt',
    'mv src/main.ts lib/main.ts',
    'chmod 755 b.txt',
    'ln -s src/main.ts link',
    'mkdir -p other/deep',
    'cp src/main.ts new.ts',
    'rm -r lib',
    'rm -rf lib src',
    'echo x > dist/new.js',
    'rm dist/old.js',
    'mkdir node_modules; echo x > node_modules/x',
    'truncate -s 0 a.txt',
    'sed -i s/seen/other/ b.txt',
    "python3 -c \"open('late.txt', 'w').write('x')\"",
    'echo x > SRC-not; echo y > src/fine.ts',
    'bash -c "cd src && echo x > ../up.txt"',
    'ln a.txt src/hard && echo x > src/hard && rm src/hard; echo y > "a.txt "',
  ]
  it('with fs:write:src/** refuses what changes anything else, and nothing of it lands', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    for (const line of OUTSIDE_SRC) {
      expect({ line, ...(await bash(workspace, SRC_ONLY, `${line}; echo done`)) }).toMatchObject({
        ok: false,
        data: { stdout: 'done\n', exitCode: 0 },
        error: { code: 'EPERMISSION', message: expect.stringContaining('fs:') },
      })
      expect(workspace.snapshot()).toEqual(before)
    }
  })

  it('with fs:write:src/** lands what is in src, directories on the way included', async () => {
    await using workspace = repository(FILES)
    const line = 'echo x > src/main.ts; mkdir -p src/new/deep; echo y > src/new/deep/y.ts; rm src/deep/x.ts; ls lib'
    expect(await bash(workspace, SRC_ONLY, line)).toMatchObject({
      ok: true,
      data: { stdout: 'kept.ts\n', exitCode: 0 },
    })
    expect([workspace.read('src/main.ts'), workspace.read('src/new/deep/y.ts')]).toEqual(['x\n', 'y\n'])
    expect(Object.keys(workspace.snapshot())).not.toContain('src/deep/x.ts')
  })

  const B_ONLY = ['exec', 'fs:read:b*']
  const PRYING = [
    'cat a.txt',
    'cat ./lib/../a.txt',
    'cat lib/kept.ts',
    'cat dist/old.js',
    'git show HEAD:a.txt',
    'git cat-file -p HEAD',
    'cat .git/HEAD .git/logs/HEAD',
    'find . -type f -exec cat {} +',
    'tar cf - . | tar xf - -O',
    'cp -r . /tmp/all; cat /tmp/all/a.txt',
    'python3 -c "print(open(\'a.txt\').read())"',
    'ln -s a.txt /tmp/l; cat /tmp/l',
    'ln a.txt /tmp/h; cat /tmp/h',
    'mount --bind . /tmp; cat /tmp/a.txt',
    'cat /proc/self/cwd/a.txt /proc/1/cwd/a.txt /proc/self/root$PWD/a.txt',
    'exec 3<a.txt; cat <&3',
    'dd if=a.txt; od -c a.txt; strings bin/tool.sh',
    'grep -r TOP .',
    'git init -q; git status; cat a.txt',
    'mv a.txt b2.txt; cat b2.txt',
  ]
  it('with fs:read:b* shows nothing else, however it is asked for', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    for (const line of PRYING) {
      const answer = await bash(workspace, B_ONLY, `{ ${line}; } 2>&1; cat b.txt; ls -A | tr '\\n' ' '`)
      expect({ line, said: JSON.stringify(answer) }).toEqual({ line, said: expect.stringContaining('seen b') })
      expect({ line, said: JSON.stringify(answer) }).toEqual({ line, said: expect.not.stringMatching(/TOP|Test|main/) })
      expect(workspace.snapshot()).toEqual(before)
    }
  })

  it('with fs:read:b* lists what a tool would list', async () => {
    await using workspace = repository(FILES)
    expect(await bash(workspace, B_ONLY, 'ls -A; cat b.txt')).toMatchObject({
      ok: true,
      data: { stdout: 'b.txt\nseen b\n' },
      meta: { warnings: [expect.stringContaining('fs:read')] },
    })
  })

  const MAKING = [
    'echo x > new.txt',
    'echo x > a.txt',
    'mkdir lib; echo x > lib/new.ts',
    'mkdir dist; echo x > dist/new.js',
    'mkdir empty',
    'ln -s /etc/passwd link',
    'cp /etc/passwd .',
    'tar cf all.tar /etc/passwd 2>/dev/null',
    'mkdir -p .github/workflows; echo x > .github/workflows/x.yml',
    'printf x | tee -a a.txt >/dev/null',
  ]
  it('with exec alone nothing is there, and what a command makes is refused', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    for (const line of MAKING) {
      expect({ line, ...(await bash(workspace, ['exec'], `ls -A; ${line}; echo done`)) }).toMatchObject({
        ok: false,
        data: { stdout: 'done\n' },
        error: { code: 'EPERMISSION', message: expect.stringMatching(/fs:(create|write|read)/) },
      })
      expect(workspace.snapshot()).toEqual(before)
    }
  })

  it('with exec alone nothing can be taken away, and the answer names the permission', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    const lines = [
      'rm -rf a.txt lib dist .git',
      'rm -rf * .[a-z]*',
      'find . -delete',
      'git init -q; git add -A',
      'git clean -xdf',
    ]
    for (const line of lines) {
      const answer = await bash(workspace, ['exec'], `${line}; echo done`)
      expect({ line, ...answer }).toMatchObject({ ok: true, data: { stdout: expect.stringContaining('done') } })
      expect(answer.meta?.warnings?.join(' ')).toContain('fs:read')
      expect(workspace.snapshot()).toEqual(before)
    }
  })

  it('with fs:write and without fs:read a command makes new files beside those that it does not see', async () => {
    await using workspace = repository(FILES)
    const line = 'echo x > new.txt; mkdir lib; echo y > lib/new.ts'
    expect(await bash(workspace, ['exec', 'fs:write'], line)).toMatchObject({ ok: true })
    expect([workspace.read('new.txt'), workspace.read('lib/new.ts'), workspace.read('lib/kept.ts')]).toEqual([
      'x\n',
      'y\n',
      'TOP lib\n',
    ])
  })

  const UNSEEN = [
    ['echo x > a.txt', 'a.txt'],
    ['printf x | tee -a a.txt >/dev/null', 'a.txt'],
    ['echo x > lib', 'lib'],
    ['mkdir lib; echo z > lib/kept.ts', 'lib/kept.ts'],
    ['mkdir lib; ln -s ../b.txt lib/kept.ts', 'lib/kept.ts'],
    ['mkdir a.txt', 'a.txt'],
    ['echo y > fine.txt; cp /etc/passwd b.txt', 'b.txt'],
    ['mkdir dist; echo x > dist/old.js', 'dist/old.js'],
    ['echo x > .gitignore', '.gitignore'],
    ["python3 -c \"open('a.txt', 'w').write('x')\"", 'a.txt'],
  ] as const
  it('with fs:write and without fs:read nothing that a command does not see is overwritten', async () => {
    await using workspace = repository(FILES)
    const before = workspace.snapshot()
    for (const [line, path] of UNSEEN) {
      expect({ line, ...(await bash(workspace, ['exec', 'fs:write'], `${line}; echo done`)) }).toMatchObject({
        ok: false,
        data: { stdout: 'done\n', exitCode: 0 },
        error: { code: 'EPERMISSION', message: expect.stringContaining(`fs:read:${path}`) },
      })
      expect(workspace.snapshot()).toEqual(before)
    }
  })
})
