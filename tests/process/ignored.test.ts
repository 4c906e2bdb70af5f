// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { readJournal } from '../../src/machine/journal/read.ts'
import { needs } from '../needs.ts'
import { repository } from './git-world.ts'
import { overlayWorld, shell } from './overlay-world.ts'

const it = needs('bubblewrap')

const permissions = ['exec', 'fs:write']

describe('an ignored path that another program changes', () => {
  it('while the command runs is a conflict, and nothing of the command lands', async () => {
    await using workspace = repository()
    mkdirSync(join(workspace.path, 'dist'))
    writeFileSync(join(workspace.path, 'dist/out'), 'before\n')
    const kit = await workspace.open({ permissions })
    const written = Promise.withResolvers<void>()
    const command = 'echo b > b.txt; echo mine > dist/out; echo written; sleep 1'
    const running = kit.run('run', { command }, { onOutput: () => written.resolve() })
    await written.promise
    writeFileSync(join(workspace.path, 'dist/out'), 'theirs\n')
    expect((await running).outcome).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('dist/out') },
    })
    expect(workspace.read('dist/out')).toBe('theirs\n')
    expect(Object.keys(workspace.snapshot())).not.toContain('b.txt')
  })

  it('between its end and its landing stays theirs, with a warning that names it', async () => {
    using world = overlayWorld('git init -q; echo "*.log" > .gitignore; echo a > a.log; echo b > b.log')
    const overlay = world.open()
    try {
      await world.run(overlay, 'echo mine > a.log; echo mine > b.log; echo mine > c.log; rm -f d.log')
      overlay.collect()
      for (const name of ['a.log', 'c.log']) writeFileSync(join(world.path, name), 'theirs\n')
      expect(overlay.apply()).toEqual([
        "1 ignored path changed, without undo: 'b.log'",
        expect.stringMatching(/^'[ac]\.log' was not changed: another program changed it in the meantime$/),
        expect.stringMatching(/^'[ac]\.log' was not changed: another program changed it in the meantime$/),
      ])
      expect(shell(world.path, 'cat a.log b.log c.log')).toBe('theirs\nmine\ntheirs\n')
    } finally {
      overlay.discard()
    }
  })
})

describe('ignored paths that a command changes', () => {
  const line = 'mkdir dist; for n in 1 2 3 4 5 6; do echo $n > dist/$n; done'

  it('are counted and named in the warnings and in the record', async () => {
    await using workspace = repository()
    const kit = await workspace.open({ permissions })
    const { outcome } = await kit.run('run', { command: line })
    expect(outcome.meta.warnings).toEqual([
      expect.stringMatching(/^7 ignored paths changed, without undo: 'dist', 'dist\/\d', .* and 2 more$/),
    ])
    expect(JSON.stringify([...readJournal(kit.state.journal)])).toContain('7 ignored paths changed')
    const { outcome: none } = await kit.run('run', { command: 'cat dist/1; echo x > x.txt' })
    expect(none.meta.warnings).toBeUndefined()
  })

  it('are foretold in a dry run, which changes none', async () => {
    await using workspace = repository()
    const before = workspace.snapshot()
    const kit = await workspace.open({ permissions })
    const { outcome } = await kit.run('run', { command: line }, { dryRun: true })
    expect(outcome.meta.warnings).toEqual([
      expect.stringMatching(/^7 ignored paths would change, without undo: 'dist', /),
    ])
    expect(workspace.snapshot()).toEqual(before)
  })
})
