// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { describe, expect } from 'vitest'
import { generatedPackage } from '../../bench/generated-package.ts'
import type { EditEffects } from '../../src/kernel/edit-effects.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { SessionHandle, ToolkitOptions } from '../../src/toolkit.ts'
import { needs } from '../needs.ts'
import { compiled as compilerLines } from './compiled.ts'

const it = needs('bubblewrap')

const WRITE: Omit<ToolkitOptions, 'root' | 'env'> = { permissions: ['fs:write'], effects: 'complete' }

const SMALL = {
  'tsconfig.json':
    '{ "compilerOptions": { "module": "esnext", "target": "esnext", "lib": ["esnext"], "strict": true, "types": [] } }',
  'src/a.ts': 'export function f(x: number): number {\n  return x\n}\n',
  'src/b.ts': `import { f as g } from './a'\nexport function b() {\n  return g(1)\n}\n`,
  'src/c.ts': `import { b } from './b'\nexport const c = (): number => b()\n`,
  'src/deep/c.test.ts': `import { c } from '../c'\ndeclare function it(name: string, test: () => void): void\nit('c', () => void c())\n`,
  'src/other.ts': 'export const other = 1\n',
}

const replace = (path: string, old: string, text: string) => ({ path, edits: [{ old, new: text }] })

async function edit(kit: SessionHandle, path: string, old: string, text: string): Promise<EditEffects> {
  const { outcome } = await kit.run('edit', replace(path, old, text))
  if (!outcome.ok) throw outcome.error
  if (!outcome.meta.effects) throw new Error('The answer tells nothing of what the edit breaks')
  return outcome.meta.effects
}

const places = ({ first }: EditEffects['introduced']): string[] =>
  first.map(({ path, line, column, code }) => `${path}:${line}:${column} ${code}`)

/** What the compiler says of the files as they are on disk. */
const compiled = ({ path }: TemporaryWorkspace): string[] =>
  compilerLines(path).flatMap(said => {
    const [, file, line, column, code] = /^(\S+)\((\d+),(\d+)\): error (TS\d+)/.exec(said) ?? []
    return code === undefined ? [] : [`${file}:${line}:${column} ${code}`]
  })

describe('what an edit breaks', () => {
  it('is exactly what the compiler says afterwards in a package of 300 files, and nothing when it is mended', async () => {
    await using workspace = temporaryWorkspace(generatedPackage(300))
    const kit = await workspace.open(WRITE)
    const broken = await edit(kit, 'src/base.ts', 'scale(value: number)', 'scale(value: number, by: number)')
    expect(broken).toMatchObject({ complete: true, left: 0, unjudged: [], cured: { total: 0 } })
    const said = compiled(workspace)
    expect(said.length).toBe(43)
    expect(places(broken.introduced).toSorted()).toEqual(said.toSorted())
    expect(broken.callers).toMatchObject({
      total: 43,
      first: expect.arrayContaining([calls('part0', 'src/part0.ts', 4)]),
    })
    expect(broken.tests.total).toBeGreaterThan(0)
    expect(broken.tests.first.every(path => path.endsWith('.test.ts'))).toBe(true)
    const mended = await edit(kit, 'src/base.ts', 'by: number)', 'by = 2)')
    expect(mended).toMatchObject({ complete: true, introduced: { total: 0 }, cured: { total: 43 } })
    expect(compiled(workspace)).toEqual([])
  })

  it('goes beyond those who import the changed file, and follows other names', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    const kit = await workspace.open(WRITE)
    const effects = await edit(kit, 'src/a.ts', 'number {\n  return x', 'string {\n  return String(x)')
    expect(places(effects.introduced)).toEqual(compiled(workspace))
    expect(places(effects.introduced)).toEqual(['src/c.ts:2:32 TS2322'])
    expect(effects.tests).toEqual({ total: 1, first: ['src/deep/c.test.ts'] })
    const other = await edit(kit, 'src/a.ts', 'x: number', 'x: Date')
    expect(other.callers.first).toEqual([{ ...calls('b', 'src/b.ts', 3), calls: 'f', code: 'TS2345' }])
  })

  it('counts what only options of the project make an error, and only with them', async () => {
    const strict = SMALL['tsconfig.json'].replace(
      '"strict": true',
      '"strict": true, "noUnusedLocals": true, "noUnusedParameters": true, "allowUnreachableCode": false, "noImplicitReturns": true, "noFallthroughCasesInSwitch": true',
    )
    const told = async (config: string) => {
      await using workspace = temporaryWorkspace({ ...SMALL, 'tsconfig.json': config })
      const kit = await workspace.open(WRITE)
      const text = `import { other } from './other'
export function g(a: number, b: boolean) {
  const c = 1
  if (b) return 2
  return 3
  return 4
}
export function h(x: number): string | undefined {
  switch (x) {
    case 1:
      x++
    case 2:
      return 'two'
  }
}
`
      const { outcome } = await kit.run('write', { path: 'src/g.ts', content: text })
      const { introduced, complete } = outcome.meta.effects ?? {}
      return {
        complete,
        places: introduced && places(introduced).toSorted(),
        said: compiled(workspace).toSorted(),
      }
    }
    const loose = await told(SMALL['tsconfig.json'])
    expect(loose).toEqual({ complete: true, places: [], said: [] })
    const tight = await told(strict)
    expect(tight.places).toEqual(tight.said)
    expect(tight.said.map(place => place.replace(/.* /, '')).toSorted()).toEqual([
      'TS6133',
      'TS6133',
      'TS6133',
      'TS7027',
      'TS7029',
      'TS7030',
    ])
  })

  it('knows an old error by its place, also where lines have moved, and a file that was moved by its text', async () => {
    await using workspace = temporaryWorkspace({
      ...SMALL,
      'src/bad.ts': `const bad: number = 'x'\nexport const good = 1\n`,
    })
    const kit = await workspace.open(WRITE)
    const added = await edit(kit, 'src/bad.ts', 'const bad', '// one\n// two\nconst bad')
    expect(added).toMatchObject({ introduced: { total: 0 }, cured: { total: 0 } })
    const renamed = await edit(kit, 'src/bad.ts', 'const bad', 'const worse')
    expect(renamed).toMatchObject({ introduced: { total: 0 }, cured: { total: 0 } })
    const { outcome } = await kit.run('move', { from: 'src/bad.ts', to: 'src/moved.ts' })
    expect(outcome.meta.effects).toMatchObject({ complete: true, introduced: { total: 0 }, cured: { total: 0 } })
    const cured = await edit(kit, 'src/moved.ts', `'x'`, '1')
    expect(cured).toMatchObject({ introduced: { total: 0 }, cured: { total: 1 } })
  })

  it('has the callers that know what was changed by the name of another name', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': SMALL['tsconfig.json'],
      'src/core.ts': 'export function area(w: number): number {\n  return w\n}\n',
      'src/al1.ts': `export { area as ar2 } from './core'\n`,
      'src/al2.ts': `import { ar2 as zz } from './al1'\nexport function deep() { return zz(1) }\n`,
      'shop/__init__.py': '',
      'shop/core.py': 'def area(w: int) -> int:\n    return w\n',
      'shop/al1.py': 'from .core import area as ar2\n',
      'shop/al2.py': 'from .al1 import ar2 as zz\n\n\ndef deep() -> int:\n    return zz(1)\n',
    })
    const kit = await workspace.open(WRITE)
    for (const [path, old, text, by, line] of [
      ['src/core.ts', 'w: number', 'w: number, h: number', 'src/al2.ts', 2],
      ['shop/core.py', 'w: int', 'w: int, h: int', 'shop/al2.py', 5],
    ] as const)
      expect(await edit(kit, path, old, text)).toMatchObject({
        complete: true,
        introduced: { total: 1 },
        callers: { total: 1, first: [{ name: 'deep', path: by, line, calls: 'area' }] },
      })
  })

  it('has the callers whose results no longer fit, and those of what is not there any more', async () => {
    await using workspace = temporaryWorkspace({
      'tsconfig.json': SMALL['tsconfig.json'],
      'src/core.ts': 'export function area(w: number): number {\n  return w\n}\n',
      'src/uses.ts': `import { area } from './core'\nexport function one(): number {\n  const s: number = area(1)\n  return s\n}\n`,
    })
    const kit = await workspace.open(WRITE)
    const caller = { name: 'one', path: 'src/uses.ts', line: 3, calls: 'area' }
    const result = await edit(kit, 'src/core.ts', 'number {\n  return w', 'string {\n  return String(w)')
    expect(result).toMatchObject({
      introduced: { total: 1 },
      callers: { total: 1, first: [{ ...caller, code: 'TS2322' }] },
    })
    const renamed = await edit(kit, 'src/core.ts', 'function area', 'function size')
    expect(renamed.callers).toMatchObject({ total: 1, first: [caller] })
  })

  it('is reported for created and removed files, and for ambient declarations', async () => {
    await using workspace = temporaryWorkspace({
      ...SMALL,
      'src/global.d.ts': 'declare const setting: number\n',
      'src/uses.ts': 'export const used: number = setting\n',
    })
    const kit = await workspace.open(WRITE)
    const ambient = await edit(kit, 'src/global.d.ts', 'number', 'string')
    expect(places(ambient.introduced)).toEqual(['src/uses.ts:1:14 TS2322'])
    const removed = await kit.run('delete', { path: 'src/a.ts' })
    expect(places(removed.outcome.meta.effects?.introduced ?? { total: 0, first: [] })).toEqual([
      'src/b.ts:1:24 TS2307',
    ])
    expect(compiled(workspace).toSorted()).toEqual(['src/b.ts:1:24 TS2307', 'src/uses.ts:1:14 TS2322'])
    const made = await kit.run('write', { path: 'src/a.ts', content: SMALL['src/a.ts'], expect: 'absent' })
    expect(made.outcome.meta.effects).toMatchObject({ introduced: { total: 0 }, cured: { total: 1 } })
  })

  it('is not guessed at where a server cannot see what is imported, and known once that has landed', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    const kit = await workspace.open(WRITE)
    await kit.run('stage', { action: 'begin' })
    const content = `export const made: string = 1\n`
    await kit.run('write', { path: 'src/new/made.ts', content, expect: 'absent' })
    const staged = await edit(kit, 'src/other.ts', 'export', `import { made } from './new/made'\nmade.at(0)\nexport`)
    expect(staged).toMatchObject({
      complete: false,
      introduced: { total: 0 },
      why: expect.stringContaining('only staged'),
    })
    await kit.run('stage', { action: 'commit' })
    expect((await kit.run('effects', {})).outcome).toMatchObject({
      data: { effects: { complete: true, introduced: { total: 1, first: [{ path: 'src/new/made.ts' }] } } },
    })
    const { outcome } = await kit.run('undo', {})
    expect(outcome.meta.effects).toMatchObject({ complete: true, introduced: { total: 0 }, cured: { total: 1 } })
  })

  it('of several staged edits is judged before anything lands, and told again as a whole when they do', async () => {
    await using workspace = temporaryWorkspace(SMALL)
    const kit = await workspace.open(WRITE)
    await kit.run('stage', { action: 'begin' })
    const first = await edit(kit, 'src/a.ts', 'x: number', 'x: string')
    expect(places(first.introduced)).toEqual(['src/a.ts:2:3 TS2322', 'src/b.ts:3:12 TS2345'])
    expect(workspace.read('src/a.ts')).toBe(SMALL['src/a.ts'])
    const second = await edit(kit, 'src/b.ts', 'g(1)', `g('1')`)
    expect(places(second.cured)).toEqual(['src/b.ts:3:12 TS2345'])
    const all = await kit.run('effects', {})
    expect(all.outcome).toMatchObject({
      ok: true,
      data: { changed: ['src/a.ts', 'src/b.ts'], effects: { complete: true, introduced: { total: 1 } } },
    })
    const { outcome } = await kit.run('stage', { action: 'commit' })
    expect(outcome.meta.effects).toMatchObject({ complete: true, introduced: { total: 1 }, cured: { total: 0 } })
    expect(compiled(workspace)).toEqual(['src/a.ts:2:3 TS2322'])
  })
})

const calls = (name: string, path: string, line: number) => ({ name, path, line, calls: 'scale', code: 'TS2554' })
