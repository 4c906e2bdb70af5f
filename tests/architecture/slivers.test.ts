import { describe, expect, it } from 'vitest'
import { readModule } from './module.ts'
import { slivers } from './slivers.ts'

describe('the check of slivers', () => {
  const found = (files: Readonly<Record<string, string>>, entries: readonly string[] = []) =>
    slivers(
      Object.entries(files).map(([file, text]) => readModule(file, text)),
      new Set(entries),
    ).map(({ file }) => file)

  const use = (file: string) => `import { a } from './${file}'\n${'use(a)\n'.repeat(30)}`

  it('finds a file under 30 lines that one source imports; tests do not count', () => {
    const files = { 'src/a.ts': 'export const a = 1', 'src/b.ts': use('a.ts') }
    expect(found(files)).toEqual(['src/a.ts'])
    expect(found({ ...files, 'src/a.test.ts': use('a.ts') })).toEqual(['src/a.ts'])
    expect(found({ ...files, 'src/c.ts': use('a.ts') })).toEqual([])
    expect(found({ ...files, 'src/a.ts': '//\n'.repeat(30) })).toEqual([])
    expect(found(files, ['src/a.ts'])).toEqual([])
  })

  it.each([
    ['a tool', 'src/contracts/sage/a.ts', 'src/contracts/sage/contract.ts', 'export const a = defineTool({})'],
    ['a command', 'src/surfaces/cli/a.ts', 'src/surfaces/cli/dispatch.ts', 'export const a = 1'],
    ['a language', 'src/languages/a/a.ts', 'src/languages/registry.ts', 'export const a = 1'],
  ])('leaves %s alone', (_what, file, importer, text) => {
    expect(found({ [file]: text, [importer]: use('a.ts') })).toEqual([])
  })
})
