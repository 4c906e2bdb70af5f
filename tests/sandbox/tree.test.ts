// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import type { Tree } from '../../src/machine/process/sandbox/types.ts'
import { snapshotOf } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { openWorld, worldNames, type World } from './world.ts'

const it = needs('bubblewrap')

describe.each(worldNames)('the workspace as a command sees it (%s)', name => {
  let world: World
  beforeAll(() => {
    world = openWorld(name)
  })
  beforeEach(() => {
    world.clear()
    world.write('a.txt', 'a\n')
    world.write('src/b.txt', 'b\n')
  })
  afterAll(() => world.close())

  const overlay = (place = world.home, lower: readonly string[] = []): Extract<Tree, { kind: 'overlay' }> => {
    const [upper, work] = [join(place, 'upper'), join(place, 'work')]
    for (const directory of [upper, work]) {
      mkdirSync(directory, { recursive: true })
      world.owns(directory)
    }
    return { kind: 'overlay', lower: [...lower, world.root], upper, work }
  }

  it('is at its own path, with the working directory inside', async () => {
    const answer = await world.sh('pwd; cat b.txt', { cwd: 'src', tree: { kind: 'read-only' } })
    expect(answer).toMatchObject({ stdout: `${join(world.root, 'src')}\nb\n`, exit: { code: 0, signal: null } })
  })

  it('cannot be written when it is read-only', async () => {
    const before = snapshotOf(world.root)
    const { stderr, exit } = await world.sh('echo x > a.txt; rm src/b.txt; touch new', { tree: { kind: 'read-only' } })
    expect(stderr.match(/Read-only file system/g)).toHaveLength(3)
    expect(exit?.code).not.toBe(0)
    expect(snapshotOf(world.root)).toEqual(before)
  })

  it('is written at once when it is direct, as its owner', async () => {
    await world.sh('echo x > a.txt; mkdir made; touch made/new')
    expect(readFileSync(join(world.root, 'a.txt'), 'utf8')).toBe('x\n')
    expect(lstatSync(join(world.root, 'made/new')).uid).toBe(lstatSync(world.root).uid)
  })

  it('is a copy under the same path when it is a copy', async () => {
    // Root's own state is closed to the user whom a command becomes.
    const state = join(world.base, 'state')
    mkdirSync(state, { mode: name === 'root-on-user' ? 0o700 : 0o755 })
    const path = join(state, 'copy')
    mkdirSync(path)
    world.owns(path)
    const { stdout } = await world.sh('pwd; ls; touch new', { tree: { kind: 'copy', path } })
    expect(stdout).toBe(`${world.root}\n`)
    expect(readdirSync(path)).toEqual(['new'])
    expect(readdirSync(world.root)).toEqual(['a.txt', 'src'])
  })

  it('takes staged writes into the upper layer, and stays as it was', async () => {
    const before = snapshotOf(world.root)
    const tree = overlay()
    const answer = await world.sh('echo x > a.txt; rm -r src; mkdir src; echo c > src/c; cat src/*; ls', { tree })
    expect(answer).toMatchObject({ stdout: 'c\na.txt\nsrc\n', stderr: '', exit: { code: 0 } })
    expect(snapshotOf(world.root)).toEqual(before)
    expect(readFileSync(join(tree.upper, 'a.txt'), 'utf8')).toBe('x\n')
    expect(readdirSync(join(tree.upper, 'src'))).toEqual(['c'])
  })

  it('shows what was staged before as a further layer, whiteouts too', async () => {
    const earlier = overlay(join(world.home, 'earlier'))
    await world.sh('echo staged > a.txt; rm src/b.txt; echo more > more', { tree: earlier })
    const answer = await world.sh('cat a.txt more; ls src', {
      tree: overlay(join(world.home, 'later'), [earlier.upper]),
    })
    expect(answer.stdout).toBe('staged\nmore\n')
    expect(readFileSync(join(world.root, 'a.txt'), 'utf8')).toBe('a\n')
  })

  it.each(['with space', 'with:colon', 'with,comma', 'all: of, "them" \\ and 日本'])(
    'mounts layers whose path is %j',
    async odd => {
      const place = join(world.home, odd)
      mkdirSync(place)
      const tree = overlay(place)
      const answer = await world.sh('echo x > a.txt', { tree })
      expect(answer).toMatchObject({ stderr: '', exit: { code: 0 } })
      expect(readFileSync(join(tree.upper, 'a.txt'), 'utf8')).toBe('x\n')
    },
  )

  it.each(['direct', 'overlay'] as const)('keeps read-only what is named so (%s)', async kind => {
    world.write('.git/config', '[core]\n')
    world.write('.git/hooks/sample', '')
    world.write('.git/HEAD', 'ref: refs/heads/main\n')
    const tree: Tree = kind === 'direct' ? { kind } : overlay()
    // Moved away, it could be built anew in its place; an overlay moves by copying, and what is copied is judged later.
    const move = kind === 'direct' ? 'mv .git away' : 'rmdir .git/hooks'
    const line = `echo x >> .git/config; echo x > .git/hooks/pre-commit; rm -r .git/hooks; echo y > .git/HEAD; ${move}`
    const missing = kind === 'direct' ? [] : ['.git/info']
    const { stderr } = await world.sh(line, { tree, readOnly: ['.git/hooks', '.git/config', ...missing] })
    expect(stderr.match(/Read-only file system|Device or resource busy/g)?.length).toBeGreaterThanOrEqual(4)
    expect(readFileSync(join(world.root, '.git/config'), 'utf8')).toBe('[core]\n')
    expect(readdirSync(join(world.root, '.git/hooks'))).toEqual(['sample'])
    const at = kind === 'direct' ? world.root : join(world.home, 'upper')
    expect(readFileSync(join(at, '.git/HEAD'), 'utf8')).toBe('y\n')
    // A target that was missing was not made.
    expect(existsSync(join(world.root, '.git/info'))).toBe(false)
  })

  it('lets nothing be made where writes land at once, in the place of something protected that is missing', async () => {
    world.write('.git/HEAD', 'x')
    const { stderr } = await world.sh('mkdir .git/hooks', { readOnly: ['.git/hooks'] })
    expect(stderr).toContain('Read-only file system')
    expect(readdirSync(join(world.root, '.git'))).toEqual(['HEAD'])
  })

  it.each(['read-only', 'direct', 'overlay'] as const)('does not show hidden files (%s)', async kind => {
    world.write('.env', 'TOKEN=1')
    world.write('deep/er/.env', 'TOKEN=2')
    world.write('private/key', 'TOKEN=3')
    symlinkSync('.env', join(world.root, 'alias'))
    const before = snapshotOf(world.root)
    const tree: Tree = kind === 'overlay' ? overlay() : { kind }
    const hidden = ['.env', 'deep/er/.env', 'private', 'absent/.env', 'alias']
    const line = 'cat .env deep/er/.env private/key alias; cp -r . /tmp/all; mv deep moved; grep -r TOKEN . /tmp/all; :'
    const { stdout, stderr } = await world.sh(line, { tree, hidden })
    expect(stdout).not.toContain('TOKEN')
    expect(stderr).toContain('.env: Permission denied')
    expect(snapshotOf(world.root)).toEqual(before)
  })

  it('refuses a name that would be a shell function', async () => {
    const { failure } = await world.sh('true', { env: { 'BASH_FUNC_ulimit%%': '() { :; }' } })
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('BASH_FUNC') })
  })

  it('refuses words that no program could be given', async () => {
    expect((await world.one(['echo', 'a\0b'])).failure?.code).toBe('invalid_input')
    expect((await world.one([])).failure?.code).toBe('invalid_input')
    expect((await world.one(['echo', 'x'.repeat(200_000)])).failure?.code).toBe('too_large')
    expect((await world.one(['/bin/sh', '-c', `: ${'x'.repeat(120_000)}; echo fits`])).stdout).toBe('fits\n')
  })

  it('says why it did not begin', async () => {
    const answer = await world.sh('true', { cwd: 'nowhere' })
    expect(answer.failure).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/nowhere/) })
    writeFileSync(join(world.home, 'file'), '')
    const lost = await world.sh('true', { tree: { ...overlay(), upper: join(world.home, 'file') } })
    expect(lost.failure?.message).toMatch(/mount/)
  })
})
