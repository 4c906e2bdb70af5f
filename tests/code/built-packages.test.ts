// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const settings = (more: object = {}, besides: object = {}) =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      module: 'nodenext',
      target: 'es2022',
      declaration: true,
      outDir: 'dist',
      rootDir: 'src',
      types: [],
      lib: ['esnext'],
      ...more,
    },
    include: ['src'],
    ...besides,
  })

const manifest = (name: string, more: object = {}) => JSON.stringify({ name, type: 'module', ...more })

const BUILT = { exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } } }

const PROJECT = {
  '.gitignore': 'node_modules\ndist\n',
  'package.json': JSON.stringify({ name: 'root', private: true, workspaces: ['packages/*'] }),
  'packages/a/package.json': manifest('@m/a', BUILT),
  'packages/a/tsconfig.json': settings(),
  'packages/a/src/index.ts': `export { pa } from './deep.js'
export { Cart } from './cart.js'
export function lonely(): number { return 1 }
`,
  'packages/a/src/deep.ts': 'export function pa(n: number): number { return n }\n',
  'packages/a/src/cart.ts': 'export class Cart { add(): number { return 1 } }\n',
  'packages/b/package.json': manifest('@m/b', { dependencies: { '@m/a': '*' } }),
  'packages/b/tsconfig.json': settings(),
  'packages/b/src/index.ts': `import { pa, Cart } from '@m/a'
export function useIt(): number { return pa(1) }
export function fill(): number { return new Cart().add() }
`,
}

const DIST = {
  'packages/a/dist/index.d.ts':
    "export { pa } from './deep.js';\nexport { Cart } from './cart.js';\nexport declare function lonely(): number;\n",
  'packages/a/dist/deep.d.ts': 'export declare function pa(n: number): number;\n',
  'packages/a/dist/cart.d.ts': 'export declare class Cart {\n    add(): number;\n}\n',
}

const DEADLINE = { deadlineMs: 30_000 }

function installed(workspace: TemporaryWorkspace): void {
  mkdirSync(join(workspace.path, 'node_modules/@m'), { recursive: true })
  symlinkSync('../../packages/a', join(workspace.path, 'node_modules/@m/a'))
}

/** The callers of each of these, by one server. */
async function called(workspace: TemporaryWorkspace, ...asked: readonly (readonly [name: string, path: string])[]) {
  await using code = openedCode(workspace)
  const answers = []
  for (const [name, path] of asked) {
    const { callers, partial } = await code.engine.callers({ name, path, depth: 1, ...DEADLINE })
    answers.push({ callers: callers.map(each => `${each.name} ${each.path}:${each.line}`), partial })
  }
  return answers
}

const PA = ['pa', 'packages/a/src/deep.ts'] as const
const LONELY = ['lonely', 'packages/a/src/index.ts'] as const
const ADD = ['Cart.add', 'packages/a/src/cart.ts'] as const

const USER = ['useIt packages/b/src/index.ts:2']

describe('a package of the workspace that others have as it was built', () => {
  for (const [state, files, isInstalled] of [
    ['neither built nor installed', PROJECT, false],
    ['installed and not built', PROJECT, true],
    ['installed and built', { ...PROJECT, ...DIST }, true],
    ['built where nothing is ignored', { ...PROJECT, ...DIST, '.gitignore': 'node_modules\n' }, true],
  ] as const)
    it(`has its callers, keeps what they use, and never reports that all is judged: ${state}`, async () => {
      await using workspace = temporaryWorkspace(files)
      if (isInstalled) installed(workspace)
      const [pa, lonely, add] = await called(workspace, PA, LONELY, ADD)
      expect(pa).toEqual({ callers: USER, partial: false })
      expect(lonely).toEqual({ callers: [], partial: false })
      expect(add).toMatchObject({ partial: true })
      const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'], effects: 'complete' })
      const at = { path: 'packages/a/src/deep.ts', symbol: 'pa' }
      expect(await kit.call('refactor', { kind: 'delete', ...at, effects: 'off' })).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringContaining('packages/b/src/index.ts:2') },
      })
      expect(await kit.call('refactor', { kind: 'rename', ...at, to: 'other', effects: 'off' })).toMatchObject({
        ok: false,
        error: { code: 'conflict', message: expect.stringContaining('packages/b/src/index.ts:2') },
      })
      const { outcome } = await kit.run('edit', {
        path: 'packages/a/src/deep.ts',
        edits: [{ old: 'n: number): number', new: 'n: string): number' }],
      })
      expect(outcome).toMatchObject({
        ok: true,
        meta: { effects: { complete: false, why: expect.stringMatching(/packages\/b\/src\/index\.ts.*'@m\/a'/) } },
      })
    })

  it('is followed where projects refer to each other, and all is judged', async () => {
    const referring = { references: [{ path: '../a' }] }
    await using workspace = temporaryWorkspace({
      ...PROJECT,
      'packages/a/tsconfig.json': settings({ composite: true }),
      'packages/b/tsconfig.json': settings({ composite: true }, referring),
    })
    installed(workspace)
    await followed(workspace)
  })

  it('is followed where its source is what it exports', async () => {
    await using workspace = temporaryWorkspace({
      ...PROJECT,
      'packages/a/package.json': manifest('@m/a', { exports: { '.': './src/index.ts' } }),
      'packages/b/tsconfig.json': settings({ rootDir: '..', noEmit: true }),
    })
    installed(workspace)
    await followed(workspace)
  })

  it('is followed where a compiler is told its place', async () => {
    const paths = { '@m/*': ['../*/src/index.ts'] }
    await using workspace = temporaryWorkspace({
      ...PROJECT,
      'packages/b/tsconfig.json': settings({ module: 'esnext', moduleResolution: 'bundler', rootDir: '..', paths }),
    })
    await followed(workspace)
  })
})

async function followed(workspace: TemporaryWorkspace): Promise<void> {
  expect(await called(workspace, PA, ADD)).toEqual([
    { callers: USER, partial: false },
    { callers: ['fill packages/b/src/index.ts:3'], partial: false },
  ])
  const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'], effects: 'complete' })
  const { outcome } = await kit.run('edit', {
    path: 'packages/a/src/deep.ts',
    edits: [{ old: 'n: number): number { return n }', new: 'n: string): number { return n.length }' }],
  })
  expect(outcome).toMatchObject({
    ok: true,
    meta: { effects: { complete: true, introduced: { first: [{ path: 'packages/b/src/index.ts', line: 2 }] } } },
  })
  await kit.run('undo', {})
  const move = { kind: 'move', path: 'packages/a/src/deep.ts', symbol: 'pa', to: 'packages/a/src/far.ts' }
  expect(await kit.call('refactor', { ...move, effects: 'off' })).toMatchObject({ ok: true })
  expect(readFileSync(join(workspace.path, 'packages/a/src/index.ts'), 'utf8')).toContain("'./far.js'")
  expect(readFileSync(join(workspace.path, 'packages/a/src/deep.ts'), 'utf8')).not.toContain('far')
}
