// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { openedCode } from './opened-code.ts'

const it = needs('bubblewrap')

const PROJECT = {
  'tsconfig.json': JSON.stringify({
    compilerOptions: { allowJs: true, checkJs: false, module: 'node20', lib: ['esnext'], types: [] },
    include: ['src'],
  }),
  'src/e.ts': `export function tsf(a: number) { return a }
export class Cart { add() { return 1 } }
export function alone() { return 2 }
export const lonely = 3
`,
  'src/barrel.ts': "export * from './e.js'\n",
  'src/passes.js': "const { tsf: given } = require('./e')\nmodule.exports = { given, ...require('./e') }\n",
  'src/f.js': `const { tsf, Cart } = require('./e')
const e = require('./e')
function w() {
  return tsf(1) +
    e.tsf(2)
}
function made() { return new Cart().add() }
const handed = [1].map(require('./barrel').tsf)
`,
  'src/far.js':
    "const p = require('./passes')\nfunction far() { const { given: mine } = p; return mine(3) + p.tsf(4) }\n",
  'src/other.js': "const { tsf } = require('./unrelated')\ntsf(1)\n",
  'src/unsure.js': "const all = require('./e')\nexports.run = (x) => x.alone() + new Map().get(all)\n",
  'src/unrelated.js': 'exports.tsf = () => 1\n',
}

const DEADLINE = { deadlineMs: 30_000 }

describe('uses by require', () => {
  it('is called and referred to, through modules that hand it on, and look-alikes are left out', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    await using code = openedCode(workspace)
    const at = { path: 'src/e.ts', ...DEADLINE }
    const called = await code.engine.callers({ name: 'tsf', depth: 1, ...at })
    expect(called.callers.map(({ name, path, line }) => `${name} ${path}:${line}`)).toEqual([
      'w src/f.js:4',
      'w src/f.js:5',
      'far src/far.js:2',
    ])
    expect(called.possible).toEqual([{ name: '<module>', path: 'src/f.js', line: 8, why: 'passed as a value' }])
    expect(called.unknown).toEqual([])
    const { places, partial } = await code.engine.references({ name: 'tsf', ...at })
    expect(places.map(({ path, line, column }) => `${path}:${line}:${column}`)).toEqual([
      'src/f.js:1:9',
      'src/f.js:4:10',
      'src/f.js:5:7',
      'src/f.js:8:44',
      'src/far.js:2:26',
      'src/far.js:2:52',
      'src/far.js:2:64',
      'src/passes.js:1:9',
    ])
    expect(partial).toBe(false)
    const made = await code.engine.callers({ name: 'Cart', depth: 1, ...at })
    expect(made.callers.map(({ name, line }) => `${name} ${line}`)).toEqual(['made 7'])
    const added = await code.engine.callers({ name: 'Cart.add', depth: 1, ...at })
    expect(added).toMatchObject({ callers: [{ name: 'made', path: 'src/f.js', line: 7 }], partial: false })
    const unknown = await code.engine.callers({ name: 'alone', depth: 1, ...at })
    expect(unknown).toMatchObject({ callers: [], partial: true })
    expect(await code.engine.callers({ name: 'lonely', depth: 1, ...at })).toMatchObject({
      callers: [],
      partial: false,
    })
  })

  it('is not deleted or renamed under those who ask for it, and stays reachable when it moves', async () => {
    await using workspace = temporaryWorkspace(PROJECT)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const refactor = (input: object) => kit.call('refactor', { path: 'src/e.ts', effects: 'off', ...input })
    expect(await refactor({ kind: 'delete', symbol: 'tsf' })).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringMatching(/^'tsf' is still used: src\/f\.js:1, src\/f\.js:4, src\/f\.js:5, src\/f\.js:8/),
      },
    })
    expect(await refactor({ kind: 'rename', symbol: 'tsf', to: 'now' })).toMatchObject({
      ok: false,
      error: {
        code: 'conflict',
        message: expect.stringMatching(/^It is undecided whether 6 places refer to 'tsf': src\/f\.js:1 /),
      },
    })
    expect(text('src/e.ts')).toBe(PROJECT['src/e.ts'])
    expect(await refactor({ kind: 'delete', symbol: 'lonely' })).toMatchObject({ ok: true })
    expect(await refactor({ kind: 'rename', symbol: 'Cart.add', to: 'put' })).toMatchObject({ ok: true })
    expect(text('src/f.js')).toContain('new Cart().put()')
    expect(await refactor({ kind: 'move', symbol: 'tsf', to: 'src/new.ts' })).toMatchObject({ ok: true })
    expect(text('src/e.ts')).toBe(`export { tsf } from './new.js'

export class Cart { put() { return 1 } }
export function alone() { return 2 }
`)
  })
})
