import { spawnSync } from 'node:child_process'
import { chmodSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { rgPath } from '@vscode/ripgrep'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { CLI } from '../cli-program.ts'

let workspace: TemporaryWorkspace
beforeEach(() => {
  workspace = temporaryWorkspace({
    'a.txt': 'needle\n',
    'closed.txt': 'needle\n',
    'closed.ts': 'needle\n',
    'denied.txt': 'needle\n',
    'dir/b.txt': 'needle\n',
  })
  for (const name of ['closed.txt', 'closed.ts', 'denied.txt']) chmodSync(join(workspace.path, name), 0)
})
afterEach(() => workspace.remove())

/** Root may read everything, unless it gives up the right to. */
const CAPS = '-dac_override,-dac_read_search'
const [PROGRAM = '', ...BEFORE] = [
  ...(process.getuid?.() === 0 ? ['setpriv', `--bounding-set=${CAPS}`, `--inh-caps=${CAPS}`, '--'] : []),
  process.execPath,
  CLI,
]

const run = (...args: readonly string[]) => {
  const { path, env } = workspace
  return spawnSync(PROGRAM, [...BEFORE, ...args], { cwd: path, env: { ...env }, encoding: 'utf8', timeout: 60_000 })
}
const grep = (...args: readonly string[]) => JSON.parse(run('grep', 'needle', '--json', ...args).stdout).data

const refused = (path: string) => ({ path, why: 'Permission denied (os error 13)' })
const DENY = '{"policy":{"rules":[{"action":"read","path":"denied.txt","verdict":"deny"}]}}'

const SLOW = { timeout: 120_000 }

describe('what may not be read', () => {
  it('is named as ripgrep names it, and counted', SLOW, () => {
    const { stdout, stderr, status } = run('grep', 'needle')
    expect(stdout).toBe('a.txt:1:needle\ndir/b.txt:1:needle\n')
    const before = PROGRAM === 'setpriv' ? BEFORE.slice(0, 3) : []
    const rg = spawnSync(
      before.length > 0 ? PROGRAM : rgPath,
      [...before, ...(before.length > 0 ? [rgPath] : []), 'needle', '.'],
      {
        cwd: workspace.path,
        encoding: 'utf8',
      },
    )
    expect(lines(stderr)).toEqual(lines(rg.stderr).map(line => line.replace('rg: ./', '')))
    expect(status).toBe(0)
    expect(grep()).toMatchObject({
      filesFound: 2,
      filesUnreadable: 3,
      unreadable: [refused('closed.ts'), refused('closed.txt'), refused('denied.txt')],
    })
  })

  it('is left out where a glob, a type or a rule leaves it out', SLOW, () => {
    workspace.write('toolwright.json', DENY)
    expect(grep('--glob', '*.txt')).toMatchObject({ filesUnreadable: 1, unreadable: [refused('closed.txt')] })
    expect(grep('--type', 'ts')).toMatchObject({ filesUnreadable: 1, unreadable: [refused('closed.ts')] })
    expect(grep('dir')).not.toHaveProperty('filesUnreadable')
  })

  it('is not taken for an empty directory where it is listed itself', SLOW, () => {
    chmodSync(join(workspace.path, 'dir'), 0)
    const { stdout, status } = run('list', 'dir')
    expect([status, stdout]).toEqual([1, expect.stringContaining("'dir'")])
    expect(run('list').stdout).toContain('dir/')
  })

  it('is named and counted by list and find where it is a directory', SLOW, () => {
    workspace.write('sub/closed/c.txt', '')
    chmodSync(join(workspace.path, 'sub/closed'), 0)
    const answer = (...args: readonly string[]) => JSON.parse(run(...args, '--json').stdout).data
    const named = { filesUnreadable: 1, unreadable: [refused('sub/closed')] }
    expect(answer('list', '--depth', '3')).toMatchObject(named)
    expect(answer('list', '--depth', '2')).not.toHaveProperty('unreadable')
    expect(answer('find', '*.txt')).toMatchObject({ ...named, total: 4 })
    expect(answer('find', '*.txt', 'dir')).not.toHaveProperty('unreadable')
    expect(run('find', '*.txt').stderr).toBe('sub/closed: Permission denied (os error 13)\n')
    expect(run('list', '--depth', '3').stdout).toMatch(/sub\/closed +Permission denied \(os error 13\)/)
    try {
      run('up')
      expect(answer('find', '*.txt')).toMatchObject(named)
      expect(grep('sub')).toMatchObject(named)
      chmodSync(join(workspace.path, 'sub/closed'), 0o755)
      expect(answer('find', '*.txt')).toMatchObject({ total: 5, freshness: { source: 'index' } })
    } finally {
      run('up', '--stop')
      chmodSync(join(workspace.path, 'sub/closed'), 0o755)
    }
  })

  it('may be a directory', SLOW, () => {
    chmodSync(join(workspace.path, 'dir'), 0)
    expect(grep('--glob', '*.ts')).toMatchObject({ unreadable: [refused('closed.ts'), refused('dir')] })
    chmodSync(join(workspace.path, 'dir'), 0o755)
  })

  it('says of a file that cannot be made what to look at', SLOW, () => {
    chmodSync(join(workspace.path, 'dir'), 0o555)
    const { stdout } = run('write', 'dir/new.txt', '--content', 'one', '--allow', 'fs:write')
    expect(stdout).toContain('is not accessible to this user')
    expect(stdout).toContain('Check the permissions and the owner of its directory')
    chmodSync(join(workspace.path, 'dir'), 0o755)
  })

  it('is the same with an index', SLOW, () => {
    const scanned = grep()
    try {
      run('up')
      const found = grep()
      expect(found.freshness).toMatchObject({ source: 'index' })
      expect({ ...found, freshness: scanned.freshness }).toEqual(scanned)
      expect(grep()).toEqual(found)
      chmodSync(join(workspace.path, 'closed.txt'), 0o644)
      expectNow(3, 'closed.ts', 'denied.txt')
      rmSync(join(workspace.path, 'closed.ts'))
      expectNow(3, 'denied.txt')
      chmodSync(join(workspace.path, 'closed.txt'), 0)
      expectNow(2, 'closed.txt', 'denied.txt')
      workspace.write('closed.ts', 'needle\n', 0)
      expectNow(2, 'closed.ts', 'closed.txt', 'denied.txt')
      // Beyond eight, one scan is faster than a look at each.
      for (const name of ['1', '2', '3', '4', '5', '6']) workspace.write(name, 'needle\n', 0)
      expect(grep()).toMatchObject({ freshness: { source: 'scan' }, filesFound: 2, filesUnreadable: 9 })
      rmSync(join(workspace.path, '6'))
      expect(grep()).toMatchObject({ freshness: { source: 'index' }, filesFound: 2, filesUnreadable: 8 })
    } finally {
      run('up', '--stop')
    }
  })
})

function expectNow(filesFound: number, ...paths: readonly string[]): void {
  const found = { freshness: { source: 'index' }, filesFound, filesUnreadable: paths.length }
  expect(grep()).toMatchObject({ ...found, unreadable: paths.map(refused) })
}

const lines = (text: string): readonly string[] => text.trimEnd().split('\n').toSorted()
