// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { Outcome } from '../../src/kernel/outcome.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { SessionHandle } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'

const it = needs('bubblewrap')

const FILES = {
  'tsconfig.json':
    '{ "extends": "./base.json", "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "resolveJsonModule": true, "types": [] } }',
  'base.json': '{ "compilerOptions": { "strict": true } }',
  'package.json': '{ "name": "shop", "version": "1.0.0" }',
  'src/data.json': '{ "size": 1 }',
  'src/plain.json': '{ "size": 1 }',
  'src/a.ts': `import data from './data.json'\nexport const size: number = data.size\n`,
}
const WRITE = { permissions: ['fs:write'] }

function configure({ env }: TemporaryWorkspace, config: object): void {
  const home = env['TOOLWRIGHT_CONFIG_HOME'] ?? ''
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'config.json'), JSON.stringify(config))
}

async function put(kit: SessionHandle, path: string, content: string): Promise<Outcome> {
  await kit.run('read', { path })
  return (await kit.run('write', { path, content })).outcome
}

describe('effects of what no server sees as staged', () => {
  it('are not complete, and say why', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    const told = async (path: string, content: string) => (await put(kit, path, content)).meta.effects
    await kit.run('stage', { action: 'begin' })
    await told('src/data.json', '{ "size": "x" }')
    await told('src/a.ts', `${FILES['src/a.ts']}export const more = 1\n`)
    const { outcome } = await kit.run('effects', {})
    const why = 'No language server sees src/data.json as staged'
    expect(outcome).toMatchObject({ data: { effects: { complete: false, left: 1, why } } })
    await kit.run('stage', { action: 'rollback' })
    expect(await told('src/plain.json', '{ "size": "x" }')).toBeUndefined()
    expect(await told('package.json', '{ "name": "shop", "version": "1.0.1" }')).toBeUndefined()
    for (const [path, content] of [
      ['tsconfig.json', FILES['tsconfig.json'].replace('"types"', '"noCheck": true, "types"')],
      ['base.json', '{ "compilerOptions": {} }'],
      ['package.json', '{ "name": "shop", "type": "commonjs" }'],
      ['src/data.json', '{ "size": "x" }'],
    ] as const) {
      const effects = await told(path, content)
      expect(effects).toMatchObject({ complete: false, why: `No language server sees ${path} as staged` })
    }
  })

  it('are not complete where a file is gone that another asks for as a whole, until it follows', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': FILES['base.json'],
      'src/side.ts': 'console.log(1)\nexport {}\n',
      'src/deep/other.ts': 'export const other = 1\n',
      'src/side.user.ts': `import './side'\nimport './deep/other'\nexport const k = 1\n`,
      'src/types.ts': 'interface Shared { a: number }\n',
      'src/refers.ts': '/// <reference path="types.ts" />\nexport const shared: Shared = { a: 1 }\n',
      'src/core.ts': 'export interface Opt { size: number }\n',
      'src/more.ts': `export {}\ndeclare module './core' { interface Opt { extra?: number } }\n`,
      'shop/__init__.py': '',
      'shop/side.py': 'print(1)\n',
      'shop/user.py': 'import shop.side\n',
    })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'], effects: 'complete' })
    const told = async (tool: string, input: object) => {
      await kit.run('stage', { action: 'begin' })
      const { outcome } = await kit.run(tool, input)
      await kit.run('stage', { action: 'rollback' })
      return outcome.meta.effects
    }
    for (const [gone, user] of [
      ['src/side.ts', 'src/side.user.ts'],
      ['src/types.ts', 'src/refers.ts'],
      ['shop/side.py', 'shop/user.py'],
    ] as const) {
      const why = expect.stringContaining(`${gone}, which ${user} asks for as a whole`)
      expect(await told('delete', { path: gone })).toMatchObject({ complete: false, why })
      const to = gone.replace('/', '/moved.')
      expect(await told('move', { from: gone, to })).toMatchObject({ complete: false, why })
    }
    const followed = await told('refactor', { kind: 'move', path: 'src/side.ts', to: 'src/deep/side.ts' })
    expect(followed).toMatchObject({ complete: true, introduced: { total: 0 } })
    expect(await told('delete', { path: 'src/core.ts' })).toMatchObject({
      introduced: { first: [{ path: 'src/more.ts', line: 2, code: 'TS2664' }] },
    })
    await kit.run('delete', { path: 'src/side.ts' })
    const { outcome } = await kit.run('effects', {})
    expect(outcome).toMatchObject({
      data: { effects: { complete: true, introduced: { first: [{ path: 'src/side.user.ts', line: 1 }] } } },
    })
  })

  it('are not complete where Python imports a file that is not on disk, but name what surely broke', async () => {
    await using workspace = temporaryWorkspace({
      'm.py': 'def area(w, h):\n    return w * h\n',
      'n.py': 'from m import area\n\nprint(area(2, 3))\n',
      'other.py': 'import nowhere\n',
    })
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'], effects: 'off' })
    await kit.run('move', { from: 'm.py', to: 'mm.py' })
    // No server has seen n.py while m.py was there.
    const { outcome } = await kit.run('effects', {})
    const broken = { path: 'n.py', line: 1, code: 'reportMissingImports' }
    expect(outcome).toMatchObject({
      data: {
        effects: {
          complete: false,
          why: expect.stringContaining('no import of m.py'),
          introduced: { total: 1, first: [broken] },
        },
      },
    })
    await kit.run('stage', { action: 'begin' })
    const staged = await kit.run('write', {
      path: 'm.py',
      content: 'def area(w, h):\n    return h\n',
      effects: 'complete',
    })
    expect(staged.outcome.meta.effects).toMatchObject({ complete: false, introduced: { total: 0 } })
    await kit.run('stage', { action: 'commit' })
    const landed = await kit.run('effects', {})
    expect(landed.outcome).toMatchObject({
      data: { effects: { complete: true, introduced: { total: 0 }, cured: { total: 1, first: [broken] } } },
    })
  })

  it('keep a change from landing where new errors are refused', async () => {
    await using workspace = temporaryWorkspace(FILES)
    configure(workspace, { effects: { refuse: 'new-errors' } })
    const kit = await workspace.open(WRITE)
    const before = workspace.snapshot()
    for (const path of ['tsconfig.json', 'src/data.json'] as const) {
      const outcome = await put(kit, path, '{ "compilerOptions": { "noCheck": true } }')
      expect(outcome).toMatchObject({
        ok: false,
        error: {
          code: 'conflict',
          message: `Nothing was committed: it is unknown whether it adds errors (No language server sees ${path} as staged)`,
          hint: expect.not.stringContaining('Call again'),
        },
      })
    }
    expect(workspace.snapshot()).toEqual(before)
    expect(await put(kit, 'src/plain.json', '{}')).toMatchObject({ ok: true })
  })

  it('are not complete if a changed language has no server, and still land', async () => {
    await using workspace = temporaryWorkspace({ ...FILES, 'src/lib.swift': 'let a = 1\n' })
    configure(workspace, { effects: { refuse: 'new-errors' } })
    const kit = await workspace.open({ ...WRITE, effects: 'complete' })
    await kit.run('stage', { action: 'begin' })
    await put(kit, 'src/lib.swift', 'let a = 2\n')
    await put(kit, 'src/a.ts', 'export const size = 1\n')
    const { outcome } = await kit.run('stage', { action: 'commit' })
    expect(outcome).toMatchObject({
      ok: true,
      meta: { effects: { complete: false, left: 0, unjudged: ['swift'], why: 'No language server judges swift' } },
    })
  })

  it('are not got round by a command that writes to the workspace itself', async () => {
    await using workspace = temporaryWorkspace(FILES)
    execFileSync('git', ['init', '-q'], { cwd: workspace.path })
    configure(workspace, { effects: { refuse: 'new-errors' } })
    const command = 'echo "export const size: number = null + 1" > src/a.ts'
    const options = { permissions: ['exec', 'fs:write:**'] }
    const kit = await workspace.open(options)
    const refused = await kit.run('run', { command, background: true })
    expect(refused.outcome).toMatchObject({
      ok: false,
      error: { code: 'denied', message: expect.stringContaining('not checked for new errors') },
    })
    const judged = await kit.run('run', { command })
    expect(judged.outcome).toMatchObject({ ok: false, error: { code: 'conflict' } })
    expect(workspace.read('src/a.ts')).toBe(FILES['src/a.ts'])
    configure(workspace, { effects: { refuse: 'new-errors' }, sandbox: 'off' })
    const bare = await (await workspace.open(options)).run('run', { command })
    expect(bare.outcome).toMatchObject({ ok: false, error: { code: 'denied' } })
    expect(workspace.read('src/a.ts')).toBe(FILES['src/a.ts'])
  })
})
