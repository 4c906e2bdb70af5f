import { describe, expect, it } from 'vitest'
import { readModule } from './module.ts'
import { entryFiles, readRepository } from './repository.ts'
import { unusedExports } from './unused-exports.ts'

describe('the exports of the sources', () => {
  it('are all used by another file', () => {
    expect(unusedExports(readRepository(), entryFiles())).toEqual([])
  })
})

describe('the check of exports', () => {
  const unusedIn = (files: Readonly<Record<string, string>>) =>
    unusedExports(
      Object.entries(files).map(([file, text]) => readModule(file, text)),
      new Set(['src/index.ts']),
    ).map(({ file, name }) => `${file} ${name}`)

  const a = 'export interface A {}\nexport const used = 1, unused = 2\nexport function called(): void {}'

  it('finds exports that no file imports, and ignores the entries of the package', () => {
    expect(unusedIn({ 'src/a.ts': a, 'src/index.ts': "export { used } from './a.ts'\nexport const open = 1" })).toEqual(
      ['src/a.ts A', 'src/a.ts unused', 'src/a.ts called'],
    )
  })

  it.each([
    ['a test', 'src/a.test.ts', "import { A, used, unused, called } from './a.ts'"],
    ['a script', 'scripts/b.ts', "import { A, used, unused as other, called } from '../src/a.ts'"],
    [
      'a lazy import',
      'src/b.ts',
      "import type { A } from './a.ts'\nconst { used, unused, called } = await import('./a.ts')",
    ],
    ['a namespace', 'src/b.ts', "import * as a from './a.ts'\na.used(a.unused, a.called as a.A)"],
    ['a namespace that is passed on', 'src/b.ts', "import * as a from './a.ts'\nuse(a)"],
    ['the type of an import', 'src/b.ts', "type B = import('./a.ts').A\nimport { used, unused, called } from './a.ts'"],
    ['a re-export of everything', 'src/index.ts', "export * from './a.ts'"],
  ])('counts %s as use', (_what, file, text) => {
    expect(unusedIn({ 'src/a.ts': a, [file]: text })).toEqual([])
  })

  it('counts a re-export as an export of its own', () => {
    const files = { 'src/a.ts': 'export const used = 1', 'src/b.ts': "export { used } from './a.ts'" }
    expect(unusedIn(files)).toEqual(['src/b.ts used'])
  })

  it('finds an export that a namespace or a lazy import never mentions', () => {
    expect(unusedIn({ 'src/a.ts': a, 'src/b.ts': "import * as a from './a.ts'\na.used(a.called as a.A)" })).toEqual([
      'src/a.ts unused',
    ])
    expect(unusedIn({ 'src/a.ts': a, 'src/b.ts': "const { A, used, called } = await import('./a.ts')" })).toEqual([
      'src/a.ts unused',
    ])
  })
})
