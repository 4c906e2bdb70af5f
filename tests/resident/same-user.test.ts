import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openToolkit } from '../../src/toolkit.ts'
import { startBuilt } from './beside-scan.ts'
import { useWorlds } from './rig.ts'

const worlds = useWorlds()

it('is used only by programs with the same ignore files as its starter', async () => {
  const world = worlds.make({ '.git/HEAD': '', 'a.txt': 'needle\n', 'b.txt': 'needle\n' })
  await startBuilt(world)
  const { path, base, env } = world.workspace
  const config = join(base, 'elsewhere')
  mkdirSync(join(config, 'git'), { recursive: true })
  writeFileSync(join(config, 'git', 'ignore'), 'b.txt\n')
  const asked = async (own: Readonly<Record<string, string>>) => {
    const kit = await openToolkit({ root: path, env: own, effects: 'off' })
    const { outcome } = await kit.run('grep', { pattern: 'needle', only: 'files' })
    await kit.close()
    const { files, freshness } = Object(outcome.ok ? outcome.data : outcome.error)
    return { files, source: freshness?.source }
  }
  const both = [{ path: 'a.txt' }, { path: 'b.txt' }]
  expect(await asked(env)).toEqual({ files: both, source: 'index' })
  expect(await asked({ ...env, XDG_CONFIG_HOME: config })).toEqual({ files: [{ path: 'a.txt' }], source: 'scan' })
  expect(await asked({ ...env, XDG_CONFIG_HOME: join(env['HOME'] ?? '', '.config') })).toEqual({
    files: both,
    source: 'index',
  })
})
