// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { snapshotOf, type Snapshot } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { git, repository } from './git-world.ts'
import { overlayWorld, type OverlayWorld } from './overlay-world.ts'

const it = needs('bubblewrap')

const PREPARE =
  'git init -q -b main; git config user.name T; git config user.email t@example.com; echo 1 > a; git add -A; git commit -qm first'

const log = ({ path }: OverlayWorld): string[] =>
  execFileSync('git', ['-C', path, 'log', '--format=%s']).toString().trim().split('\n')

function failureOf(work: () => void): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('two that change the repository at the same time', () => {
  it('keeps the work of the first, and the second is a conflict although both were done before either landed', async () => {
    using world = overlayWorld(PREPARE)
    const [one, other] = [world.open(), world.open()]
    for (const [overlay, name] of [
      [one, 'one'],
      [other, 'other'],
    ] as const)
      await world.run(overlay, `git commit -q --allow-empty -m ${name}`)
    one.collect()
    other.collect()
    world.landCommand(one)
    expect(() => world.landCommand(other)).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('.git/') }),
    )
    expect(log(world)).toEqual(['one', 'first'])
    expect(execFileSync('git', ['-C', world.path, 'fsck', '--strict']).toString()).toBe('')
    for (const overlay of [one, other]) overlay.discard()
  })

  it('does not touch a repository in which another git holds a lock', async () => {
    using world = overlayWorld(PREPARE)
    const lock = join(world.path, '.git/index.lock')
    const overlay = world.open()
    await world.run(overlay, 'git commit -q --allow-empty -m second')
    overlay.collect()
    writeFileSync(lock, 'theirs')
    expect(() => world.landCommand(overlay)).toThrow(
      expect.objectContaining({ code: 'conflict', message: expect.stringContaining('.git/index.lock') }),
    )
    expect([readFileSync(lock, 'utf8'), log(world)]).toEqual(['theirs', ['first']])
    expect(existsSync(join(world.path, '.git/HEAD.lock'))).toBe(false)
    rmSync(lock)
    world.landCommand(overlay)
    expect(log(world)).toEqual(['second', 'first'])
    expect(existsSync(lock)).toBe(false)
    overlay.discard()
  })

  it('notices that references were packed or taken away meanwhile', async () => {
    using world = overlayWorld(`${PREPARE}; git branch side`)
    const overlay = world.open()
    await world.run(overlay, 'git checkout -q side && git commit -q --allow-empty -m lost')
    overlay.collect()
    execFileSync('git', ['-C', world.path, 'pack-refs', '--all'])
    expect(() => world.landCommand(overlay)).toThrow(expect.objectContaining({ code: 'conflict' }))
    overlay.discard()
  })

  it('moves nothing where one of the moves fails, and says so', async () => {
    using world = overlayWorld(PREPARE)
    const before = snapshotOf(join(world.path, '.git'))
    const overlay = world.open()
    await world.run(overlay, 'echo 2 > b; git add b; git commit -qm second; git checkout -qb new/branch')
    overlay.collect()
    const { rename } = world.root.sys
    const failing = vi.spyOn(world.root.sys, 'rename').mockImplementation((fromDir, from, toDir, to) => {
      if (to === 'index') throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      rename(fromDir, from, toDir, to)
    })
    const failure = failureOf(() => world.landCommand(overlay))
    failing.mockRestore()
    expect(failure).toMatchObject({ code: 'io', details: { path: '.git/index', errno: 'ENOSPC' } })
    const isObject = ([name]: [string, string]) => name.startsWith('objects/')
    const rest = (all: Snapshot) => Object.entries(all).filter(one => !isObject(one))
    expect(rest(snapshotOf(join(world.path, '.git')))).toEqual(rest(before))
    expect(log(world)).toEqual(['first'])
    overlay.discard()
  })

  it('says so where the repository cannot be written at all', async () => {
    using world = overlayWorld(PREPARE)
    const overlay = world.open()
    await world.run(overlay, 'git commit -q --allow-empty -m second')
    overlay.collect()
    const refuse = () => {
      throw Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })
    }
    const refusing = (['createFile', 'rename', 'mkdir'] as const).map(name =>
      vi.spyOn(world.root.sys, name).mockImplementation(refuse),
    )
    const failure = failureOf(() => world.landCommand(overlay))
    for (const one of refusing) one.mockRestore()
    expect(failure).toMatchObject({ code: 'io', message: expect.stringContaining('EROFS') })
    expect(log(world)).toEqual(['first'])
    overlay.discard()
  })

  it('does not treat a refresh as a change: a concurrent addition stays, and is no conflict', async () => {
    using world = overlayWorld(PREPARE)
    const overlay = world.open()
    const running = world.run(overlay, 'touch -d 2001-01-01 a; git status; git tag seen; sleep 0.5')
    // The index is refreshed before the tag is made.
    const written = () => readdirSync(world.scratch, { recursive: true }).map(String)
    await expect.poll(() => written().some(path => path.endsWith('refs/tags/seen'))).toBe(true)
    execFileSync('/bin/sh', ['-c', 'echo 2 > b; git add b'], { cwd: world.path })
    await running
    expect(overlay.collect()).toEqual([])
    world.landCommand(overlay)
    const status = execFileSync('git', ['-C', world.path, 'status', '--short']).toString()
    expect(status).toBe('A  b\n')
    expect(existsSync(join(world.path, '.git/refs/tags/seen'))).toBe(true)
    overlay.discard()
  })

  it('keeps an index that is split with what it goes on from', async () => {
    using world = overlayWorld(PREPARE)
    const overlay = world.open()
    await world.run(overlay, 'git update-index --split-index; echo 2 > b; git add b; git commit -qm second')
    overlay.collect()
    world.landCommand(overlay)
    expect(execFileSync('git', ['-C', world.path, 'ls-files']).toString()).toBe('a\nb\n')
    overlay.discard()
  })

  it('loses no commit that was answered with ok, whichever session made it', async () => {
    await using workspace = repository()
    const kits = await Promise.all([1, 2, 3].map(() => workspace.open({ permissions: ['exec', 'fs:write'] })))
    const outcomes = await Promise.all(
      kits.map(
        async (kit, at) =>
          (await kit.run('run', { command: `sleep 0.2; git commit -q --allow-empty -m c${at}` })).outcome,
      ),
    )
    const kept = outcomes.flatMap((outcome, at) =>
      outcome.ok && Object(outcome.data).exitCode === 0 ? [`c${at}`] : [],
    )
    expect(kept.length).toBeGreaterThan(0)
    for (const outcome of outcomes)
      if (!outcome.ok)
        expect(outcome.error).toMatchObject({ code: 'conflict', details: { exitCode: expect.any(Number) } })
    expect(git(workspace, 'log', '--format=%s').split('\n').toSorted()).toEqual([...kept, 'first'].toSorted())
  })
})
