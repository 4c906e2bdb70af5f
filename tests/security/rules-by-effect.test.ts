// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect, it as always } from 'vitest'
import { needs } from '../needs.ts'
import { repository } from '../process/git-world.ts'

const it = needs('bubblewrap')

const FILES = { 'kept/a.txt': 'SEEN\n', 'kept/b.txt': 'SEEN\n', 'free.txt': 'free\n' }

/** Each changes `kept`, in a way that no rule about one program names. */
const CHANGES = [
  'chmod 777 kept/a.txt',
  'chmod 0777 kept/a.txt',
  'chmod a+rwx kept/a.txt',
  'install -m 777 free.txt kept/a.txt',
  'rm kept/a.txt',
  'unlink kept/a.txt',
  'find kept -name a.txt -delete',
  'git rm -q kept/a.txt',
  'mv kept/a.txt /tmp/',
  'truncate -s 0 kept/a.txt',
  'shred -u kept/a.txt',
  'cp free.txt kept/a.txt',
  'sed -i d kept/a.txt',
  'echo free > kept/a.txt',
]

/** Each shows what is in `kept`. */
const READINGS = [
  'grep SEEN kept/a.txt',
  'grep -E SEEN kept/a.txt',
  'egrep SEEN kept/a.txt 2>/dev/null',
  'awk 1 kept/a.txt',
  'sed p kept/a.txt',
  'cat kept/a.txt',
  'head kept/a.txt',
  'git show HEAD:kept/a.txt',
  'git grep SEEN',
  'git -C kept grep SEEN HEAD',
  'cp kept/a.txt /tmp/x; cat /tmp/x',
  'tar cf - kept | tar xOf -',
]

describe('a rule by effect covers every program and notation', () => {
  const hasEffect = async (command: string, denials: readonly string[]): Promise<boolean> => {
    await using workspace = repository(FILES)
    const before = JSON.stringify(workspace.snapshot())
    const kit = await workspace.open({ permissions: ['exec', 'fs:read', 'fs:write'], denials })
    const { outcome } = await kit.run('run', { command })
    const shown = outcome.ok ? JSON.stringify(outcome.data) : ''
    return shown.includes('SEEN') || JSON.stringify(workspace.snapshot()) !== before
  }

  it.each([
    ...CHANGES.map(line => ['fs:write:kept', line] as const),
    ...READINGS.map(line => ['fs:read:kept', line] as const),
  ])('a deny of %s: %s', async (rule, line) => {
    expect(await hasEffect(line, []), 'without the rule').toBe(true)
    expect(await hasEffect(line, [rule]), 'with the rule').toBe(false)
  })
})

describe('a rule by name covers the spellings of its program, and no other program', () => {
  /** A rule, lines that it denies, and lines that it leaves alone. */
  const TABLE: readonly (readonly [rule: string, denied: readonly string[], others: readonly string[]])[] = [
    ['grep -E', ['grep -nE x a', 'grep --extended-regexp x a', 'busybox grep -E x a'], ['egrep x a', 'rg x']],
    ['awk', ['/usr/bin/awk 1', 'busybox awk 1'], ['mawk 1', 'gawk 1']],
    ['sh', ['/bin/sh x', 'env sh x'], ['dash x', 'bash x']],
    ['python', ['python3 x', 'python3.12 x'], ['pypy x']],
    ['node', ['nodejs x'], ['bun x', 'deno x']],
    ['chmod 777', ['chmod -R 777 a'], ['chmod 0777 a', 'chmod a+rwx a']],
    ['chmod', ['chmod 0777 a', 'chmod a+rwx a'], ['install -m 777 a b']],
    ['rm', ['busybox rm a', '/bin/rm a'], ['unlink a', 'find . -delete', 'git rm a']],
    ['curl', ['/usr/bin/curl x', 'env curl x'], ['wget x']],
    ['git push --force', ['git push -f', 'git push --forc'], ['git push o +main', 'git push --mirror']],
    ['git push*', ['git push', 'git pushx', 'git -C a push'], ['git pull']],
    ['npm run test:*', ['npm run test', 'npm run test:unit', 'npm run-script test:x', 'npm t'], ['npm run testing']],
    ['npm run deploy*', ['npm run deploy', 'npm run deploy:prod', 'npm run -s deploys'], ['npm run build']],
    ['make deploy*', ['make -j2 all deploy-prod', 'make deploy'], ['make build']],
    ['docker push*', ['docker image push a', 'docker --context x push a'], ['docker pull a']],
  ]
  always.each(
    TABLE.flatMap(([rule, denied, others]) => [
      ...denied.map(line => [rule, line, 'deny'] as const),
      ...others.map(line => [rule, line, 'allow'] as const),
    ]),
  )('deny %s, and %s: %s', async (rule, line, verdict) => {
    await using workspace = repository()
    const kit = await workspace.open({ permissions: ['exec'], denials: [`exec:${rule}`] })
    expect(kit.checkCommand(line).verdict).toBe(verdict)
  })
})
