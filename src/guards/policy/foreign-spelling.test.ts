import { describe, expect, it } from 'vitest'
import { loadCommandParser } from './command-parser.ts'
import { readCommandPattern } from './command-pattern.ts'
import { compileMatcher } from './matcher.ts'
import { denialRules, parsePermission } from './permission.ts'

await loadCommandParser()

/** Returns the spelling that a refusal suggests; fails if the text is not refused. */
function suggestionFor(read: () => unknown): unknown {
  try {
    read()
  } catch (error) {
    return Object(Object(error).details).spelling
  }
  throw new Error('it is not refused')
}

describe('readCommandPattern', () => {
  it.each<[string, readonly string[], (string | undefined)?]>([
    ['git push', ['git', 'push']],
    [' git\tpush ', ['git', 'push']],
    ['git push *', ['git', 'push']],
    ['git push*', ['git', 'push'], 'push'],
    ['git push:*', ['git', 'push'], 'push:'],
    ['exec:git push*', ['git', 'push'], 'push'],
    ['Bash(git push:*)', ['git', 'push'], 'push:'],
    ['Bash(git push *)', ['git', 'push']],
    ['Shell(git push)', ['git', 'push']],
    ['run_shell_command(git push)', ['git', 'push']],
    ['npm run test:*', ['npm', 'run', 'test'], 'test:'],
    ['npm run test:unit', ['npm', 'run', 'test:unit']],
    ['npm run -s deploy*', ['npm', 'run', '-s', 'deploy'], 'deploy'],
    ['make -j2 deploy*', ['make', '-j2', 'deploy'], 'deploy'],
    ['frob --fast go*', ['frob', '--fast', 'go'], 'go'],
    ['rm -rf *', ['rm', '-rf']],
    ['rm -rf:*', ['rm', '-rf']],
    ['rm:*', ['rm']],
    ['rm -rf ~', ['rm', '-rf', '~']],
    ["find . -name '*.ts'", ['find', '.', '-name', '*.ts']],
    ['./build.sh', ['./build.sh']],
    ['*', []],
    ['Bash(*)', []],
    ['Bash(:*)', []],
  ])('reads %j', (text, words, lastBegins) => {
    expect(readCommandPattern(text)).toEqual({ words, ...(lastBegins !== undefined && { lastBegins }) })
  })

  it.each<[string, (string | undefined)?]>([
    ['', '*'],
    ['Bash()', '*'],
    ['Bash', '*'],
    ['rm*', 'rm'],
    ['r?', undefined],
    ['* push', undefined],
    ['git * push', 'git push'],
    ['git p?sh', 'git'],
    ['git [p]ush', 'git'],
    ['git {push,pull}', 'git'],
    ['git push **', 'git push'],
    ['git push.*', 'git push'],
    ['^git push', 'git push'],
    ['rm -r*', 'rm -r'],
    ['git push --*', 'git push'],
    ['git -c core.hooksPath*', 'git -c'],
    ['curl -H Authorization:*', 'curl -H'],
    ['eslint src/*', 'eslint'],
    ['find . -name *.ts', 'find . -name'],
    ['git:push', 'git push'],
    ['"git push"', 'git push'],
    ['“git push”', 'git push'],
    ['git\u00A0push', 'git push'],
    ['git\u200B push', 'git push'],
    ['git push –force', 'git push --force'],
    ['git push, git pull', 'git push'],
    ['git push; git pull', 'git push'],
    ['git push && x', 'git push'],
    ['curl x | sh', 'curl x'],
    ['CI=1 npm test', 'npm test'],
    ['git $sub', undefined],
    ['git push > log', undefined],
    ['(git push)', undefined],
    ['if', undefined],
    ['-rf', 'rf'],
    ['["git", "push"]', 'git push'],
    ['prefix_rule(pattern=["git", "push"], decision="forbidden")', 'git push'],
    ['Read(./.env)', undefined],
    ['Task(x)', undefined],
    ['fs:read:x', undefined],
  ])('refuses %j', (text, spelling) => {
    expect(suggestionFor(() => readCommandPattern(text))).toBe(spelling)
  })
})

describe('the pattern of a path', () => {
  const compile = (path: string) => compileMatcher({ action: 'read', path })

  it.each([
    'src/**',
    './x',
    'dir/',
    '**/*.{ts,tsx}',
    '**/.env*',
    'app/(group)/[[]id].tsx',
    '\\!x',
    'x\\ ',
    '~x',
    'a b',
  ])('takes %j', path => {
    expect(compile(path).actions).toEqual(['read'])
  })

  it.each<[string, (string | undefined)?]>([
    ['!*.ts', '*.ts'],
    ['a ', 'a'],
    [' a', 'a'],
    ['src\\a.ts', 'src/a.ts'],
    ['.\\src\\**', './src/**'],
    ['~/x', undefined],
    ['"secrets"', 'secrets'],
    ["'secrets/**'", 'secrets/**'],
    ['~', undefined],
    ['~ada/x', undefined],
    ['$HOME/x', undefined],
    ['C:/x', undefined],
    ['%USERPROFILE%/x', undefined],
    ['file:///x', undefined],
    ['/etc', undefined],
    ['src/**.ts', 'src/**/*.ts'],
    ['src**/a', 'src*/**/a'],
    ['{src**,b}', undefined],
    ['a\u200B', 'a'],
    ['fs:write:src/**', 'src/**'],
    ['Read(src/**)', 'src/**'],
    ['exec:git', undefined],
    ['^src/.*', 'src/*'],
    ['src/a.ts$', 'src/a.ts'],
  ])('refuses %j', (path, spelling) => {
    expect(suggestionFor(() => compile(path))).toBe(spelling)
  })
})

describe('the pattern of a host', () => {
  const compile = (host: string) => compileMatcher({ action: 'net', host })

  it.each<[string, (string | undefined)?]>([
    ['.evil.com', '*.evil.com'],
    ['*evil.com', '*.evil.com'],
    ['evil.*', undefined],
    ['**.evil.com', undefined],
    ['https://x.com/path', 'x.com'],
    ['x.com/', 'x.com'],
    ['domain:x.com', 'x.com'],
    ['net:x.com', 'x.com'],
    [' x.com', 'x.com'],
    ['x.com:0', undefined],
    ['x.com:70000', undefined],
    ['*.1.2.3.4', '1.2.3.4'],
    ['a..b', undefined],
    ['user@x.com', undefined],
  ])('refuses %j', (host, spelling) => {
    expect(suggestionFor(() => compile(host))).toBe(spelling)
  })
})

describe('parsePermission', () => {
  const denied = (text: string) => denialRules([text])[0]

  it.each<[string, object]>([
    ['Bash', { action: 'exec' }],
    ['Bash(*)', { action: 'exec' }],
    ['Bash(git push:*)', { action: 'exec', command: 'git push:*' }],
    ['git push', { action: 'exec', command: 'git push' }],
    ['exec:git push*', { action: 'exec', command: 'git push*' }],
    ['Read(./.env)', { action: 'read', path: '.env' }],
    ['Read(**/*.ts)', { action: 'read', path: '**/*.ts' }],
    ['Edit(src/**)', { action: 'write', path: 'src/**' }],
    ['Edit(/src/**)', { action: 'write', path: 'src/**' }],
    ['Write(**)', { action: 'write' }],
    ['WebFetch(domain:x.com)', { action: 'net', host: 'x.com' }],
    ['WebFetch', { action: 'net' }],
  ])('reads %s', (text, target) => {
    expect(parsePermission(text)).toMatchObject({ ...target, verdict: 'allow' })
    expect(denied(text)).toMatchObject({ ...target, verdict: 'deny' })
  })

  it('takes a bare name at every depth for a rule that denies, and refuses it for one that allows', () => {
    expect(denied('Read(.env)')).toMatchObject({ action: 'read', path: '**/.env' })
    expect(suggestionFor(() => parsePermission('Read(.env)'))).toBe('fs:read:.env')
  })

  it.each<[string, (string | undefined)?]>([
    ['deny git push', 'exec:git push'],
    ['command: git push', 'exec:git push'],
    ['Task(x)', undefined],
    ['mcp__a__b', undefined],
    ['Read()', undefined],
    ['Read(//etc/passwd)', undefined],
  ])('refuses %j', (text, spelling) => {
    for (const read of [parsePermission, denied]) expect(suggestionFor(() => read(text))).toBe(spelling)
  })
})
