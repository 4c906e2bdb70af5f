// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import type { ResidentStatus } from '../../src/service/status.ts'
import { CLI } from '../cli-program.ts'
import { needs } from '../needs.ts'
import { replayed, taped, unequal } from '../replay/taped.ts'
import { SOON, useWorlds } from './rig.ts'

const it = needs('bubblewrap')
const worlds = useWorlds()
const FILES = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { strict: true, module: 'esnext', lib: ['esnext'], types: [] },
    include: ['src'],
  }),
  'src/a.ts': 'export function target(a: number): number {\n  return a\n}\n',
  'src/b.ts': "import { target } from './a'\nexport const near = () => target(1)\n",
}
const BREAK = { path: 'src/a.ts', edits: [{ old: 'a: number', new: 'a: number, b: number' }] }
const BROKEN = { complete: true, introduced: { total: 1, first: [{ path: 'src/b.ts', line: 2, code: 'TS2554' }] } }

describe('what an edit breaks', () => {
  it('is judged by the process for programs that end, which start no server themselves', async () => {
    const { workspace, start } = worlds.make(FILES)
    const call = async (...args: string[]) => {
      const words = [CLI, 'call', ...args, '--json', '--allow', 'fs:write']
      const options = { cwd: workspace.path, env: workspace.env }
      const { code, stdout } = await promisify(execFile)(process.execPath, words, options).then(
        ended => ({ code: 0, stdout: ended.stdout }),
        (ended: { code: number; stdout: string }) => ended,
      )
      // Only the report of what is broken is a failure.
      expect([args[0], code]).toEqual([args[0], args[0] === 'effects' ? 1 : 0])
      return JSON.parse(stdout)
    }
    const alone = await call('edit', JSON.stringify(BREAK))
    expect(alone).toMatchObject({ ok: true })
    expect(alone.meta.effects).toBeUndefined()
    const waited = await call('undo', '{}', '--effects', 'complete')
    expect(waited.meta.effects).toMatchObject({ complete: true, cured: { total: 1 } })
    const line = await start()
    const first = await call('edit', JSON.stringify(BREAK))
    expect(first.meta.effects).toBeDefined()
    // Another program asks for the rest.
    expect(await call('effects', '{}')).toMatchObject({ data: { changed: ['src/a.ts'], effects: BROKEN } })
    const { processes } = await line.ask<ResidentStatus>('status', {}, SOON)
    expect(processes).toMatchObject([{ name: 'typescript' }])
  }, 120_000)

  it('is judged by the process without files that the caller may not read', async () => {
    const secret = "import { target } from './a'\nexport const TOKEN = 'sk-123' as const\ntarget(1)\n"
    const { workspace, start } = worlds.make({ ...FILES, 'src/secret.ts': secret })
    const line = await start()
    const rules = [{ action: 'read', path: 'src/secret.ts', verdict: 'deny' }]
    workspace.write('toolwright.json', JSON.stringify({ policy: { rules } }))
    const kit = await workspace.open({ permissions: ['fs:write'], effects: 'complete' })
    const { outcome } = await kit.run('edit', BREAK)
    expect(outcome.meta.effects).toMatchObject(BROKEN)
    const content = "import { TOKEN } from './secret'\nexport const a: `a${string}` = TOKEN\n"
    const asked = await kit.run('write', { path: 'src/c.ts', content })
    expect(asked.outcome.meta.effects?.introduced).toMatchObject({ total: 1, first: [{ line: 1, code: 'TS2307' }] })
    const { processes } = await line.ask<ResidentStatus>('status', {}, SOON)
    expect(processes).toMatchObject([{ name: 'typescript' }])
  }, 120_000)

  it('is replayed as it was told', async () => {
    const { workspace } = worlds.make(FILES)
    const tape = taped()
    const kit = await workspace.open({ record: tape.recorder, permissions: ['fs:write'], effects: 'quick' })
    const plain = await kit.run('edit', { path: 'src/b.ts', edits: [{ old: 'near', new: 'nearer' }] })
    expect(plain.outcome.meta.effects).toBeUndefined()
    const { outcome } = await kit.run('edit', BREAK, { effects: 'complete' })
    expect(outcome.meta.effects).toMatchObject(BROKEN)
    await kit.run('effects', {})
    expect(unequal(await replayed(tape.text()))).toEqual([])
  }, 120_000)
})
