// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

const FILES = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "lib": ["esnext"], "strict": true, "types": [] } }',
  'src/d.ts': 'export const d = 1\n',
}
const IMPORT = {
  path: 'src/d.ts',
  edits: [{ old: 'export const d = 1', new: `import { p } from './new/deep/p'\nexport const d: number = p` }],
}
const MADE = { path: 'src/new/deep/p.ts', content: 'export const p = 1\n' }

describe('a directory that was only staged', () => {
  it('is known to the server when it has landed, though it was looked for in vain before', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const kit = await workspace.open({ permissions: ['fs:write'], effects: 'complete' })
    await kit.run('stage', { action: 'begin' })
    const broken = await kit.run('edit', IMPORT)
    expect(broken.outcome.meta.effects).toMatchObject({ introduced: { total: 1, first: [{ code: 'TS2307' }] } })
    const made = await kit.run('write', MADE)
    expect(made.outcome.meta.effects).toMatchObject({
      complete: false,
      why: expect.stringContaining('land a file in it first'),
    })
    expect((await kit.run('stage', { action: 'commit' })).outcome.ok).toBe(true)
    const { outcome } = await kit.run('effects', {})
    expect(outcome).toMatchObject({ data: { effects: { complete: true, introduced: { total: 0 } } } })
  })

  it('keeps its importers from landing with it where new errors are refused, and lets them land after it', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const home = workspace.env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
    mkdirSync(home, { recursive: true })
    writeFileSync(join(home, 'config.json'), JSON.stringify({ effects: { refuse: 'new-errors' } }))
    const kit = await workspace.open({ permissions: ['fs:write'] })
    await kit.run('stage', { action: 'begin' })
    await kit.run('edit', IMPORT)
    await kit.run('write', MADE)
    const refused = await kit.run('stage', { action: 'commit' })
    expect(refused.outcome).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringContaining('land a file in it first'),
        hint: expect.not.stringContaining('Call again'),
      },
    })
    await kit.run('stage', { action: 'rollback' })
    expect((await kit.run('write', MADE)).outcome).toMatchObject({ ok: true })
    expect((await kit.run('edit', IMPORT)).outcome).toMatchObject({ ok: true })
  })
})
