// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { hiddenPaths } from '../../src/machine/process/overlay/hidden-paths.ts'
import { openRoot } from '../../src/machine/workspace/root.ts'
import type { HiddenPaths } from '../../src/kernel/hidden-paths.ts'
import { temporaryWorkspace } from '../../src/testing/temporary-workspace.ts'
import { needs } from '../needs.ts'
import { repository } from './git-world.ts'

const it = needs('bubblewrap')

const PLACES = ['node_modules/p', '.cache/x', '.venv/lib', '.next', '.nuxt', '.tox', '.gradle', '__pycache__']

const dotEnv: HiddenPaths = {
  matches: path => /(^|\/)\.env[^/]*$/.test(path),
  covers: () => false,
  reaches: () => true,
  names: () => false,
}

describe('a rule that keeps files from commands', () => {
  it('holds in the directories that programs make as it does anywhere', async () => {
    await using workspace = repository(Object.fromEntries(PLACES.map(place => [`${place}/.env`, 'TOP=kept\n'])))
    mkdirSync(join(workspace.base, 'config'), { recursive: true })
    writeFileSync(
      join(workspace.base, 'config/config.json'),
      JSON.stringify({ policy: { rules: [{ action: 'read', path: '**/.env*', verdict: 'deny' }] } }),
    )
    const kit = await workspace.open({ permissions: ['exec', 'fs:write'] })
    const line = `cat ${PLACES.map(place => `${place}/.env`).join(' ')}; cp -r node_modules /tmp/all; cat /tmp/all/p/.env; echo done`
    const { outcome } = await kit.run('run', { command: line })
    expect(outcome).toMatchObject({ ok: true, data: { stdout: 'done\n' } })
    mkdirSync(join(workspace.path, 'node_modules/late'))
    writeFileSync(join(workspace.path, 'node_modules/late/.env.local'), 'TOP=kept\n')
    const { outcome: later } = await kit.run('run', { command: 'cat node_modules/late/.env.local; echo done' })
    expect(later).toMatchObject({ ok: true, data: { stdout: 'done\n' } })
  })

  it('refuses the command where there is too much to look through, the second time too', async () => {
    await using workspace = temporaryWorkspace({ 'a/1': '', 'a/2': '', 'b/.env': '' })
    const root = openRoot(workspace.path)
    try {
      const memory = new Map()
      await new Promise(resolve => setTimeout(resolve, 150))
      expect(hiddenPaths(root, dotEnv, memory, 5)).toEqual(['b/.env'])
      for (let time = 0; time < 2; time++)
        expect(() => hiddenPaths(root, dotEnv, memory, 4)).toThrow(
          expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('more than 4 entries') }),
        )
    } finally {
      root.close()
    }
  })
})
