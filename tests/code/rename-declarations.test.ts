// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { temporaryWorkspace } from '../../src/testing/index.ts'
import { needs } from '../needs.ts'
import { compiled } from './compiled.ts'
import { configuration } from './configuration.ts'

const it = needs('bubblewrap')

const CONFIGURATION = configuration()

describe('renaming what several declarations make up', () => {
  it('takes a getter and its setter as one, and asks which of several is meant', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export class Box { get size() { return 1 } set size(n: number) {} }
export function f(x: boolean) {
  if (x) { function twice() {} twice() } else { function twice() {} twice() }
}
`,
      'src/b.ts': `import { Box } from './a'\nnew Box().size = new Box().size\n`,
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const rename = (symbol: string, to: string) =>
      kit.call('refactor', { kind: 'rename', effects: 'off', symbol, path: 'src/a.ts', to })
    expect(await rename('Box.size', 'width')).toMatchObject({ ok: true })
    expect(text('src/a.ts')).toContain('get width() { return 1 } set width(n: number)')
    expect(text('src/b.ts')).toBe(`import { Box } from './a'\nnew Box().width = new Box().width\n`)
    expect(await rename('twice', 'once')).toMatchObject({ ok: false, error: { code: 'ambiguous' } })
  })

  it('takes all declarations that make up one symbol, and what uses any of them', async () => {
    const files = {
      'tsconfig.json': CONFIGURATION,
      'src/a.ts': `export const Kind = { big: 'big' } as const
export type Kind = (typeof Kind)[keyof typeof Kind]
export class Shop { kind: Kind = Kind.big }
export namespace Shop { export const open = true }
export interface Item { a: Kind }
export interface Item { b: number }
export class Box {
  static size = 1
  size = 2
}
`,
      'src/index.ts': `export { Kind } from './a'\nexport type { Item } from './a'\n`,
      'src/b.ts': `import { Kind, type Item } from './index'
import { Shop } from './a'
export const kind: Kind = Kind.big
export const item: Item = { a: kind, b: Shop.open ? 1 : 2 }
export const shop: Shop = new Shop()
`,
    }
    await using workspace = temporaryWorkspace(files)
    const kit = await workspace.open({ permissions: ['fs:read', 'fs:write'] })
    const text = (path: string) => readFileSync(join(workspace.path, path), 'utf8')
    const rename = (symbol: string, to: string) =>
      kit.call('refactor', { kind: 'rename', effects: 'off', symbol, path: 'src/a.ts', to })
    expect(await rename('Kind', 'Sort')).toMatchObject({ ok: true, data: { symbol: 'Kind', line: 1, warnings: [] } })
    expect(await rename('Shop', 'Store')).toMatchObject({ ok: true })
    expect(await rename('Item', 'Thing')).toMatchObject({ ok: true })
    expect(text('src/a.ts')).toBe(
      files['src/a.ts'].replaceAll('Kind', 'Sort').replaceAll('Shop', 'Store').replaceAll('Item', 'Thing'),
    )
    expect(text('src/index.ts')).toBe(`export { Sort } from './a'\nexport type { Thing } from './a'\n`)
    expect(text('src/b.ts')).toBe(`import { Sort, type Thing } from './index'
import { Store } from './a'
export const kind: Sort = Sort.big
export const item: Thing = { a: kind, b: Store.open ? 1 : 2 }
export const shop: Store = new Store()
`)
    expect(compiled(workspace.path)).toEqual([])
    expect(await rename('Box.size', 'width')).toMatchObject({ ok: false, error: { code: 'ambiguous' } })
  })
})
