import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ASKING, languageNames } from './language-names.ts'

const root = join(import.meta.dirname, '../..')

describe('the languages', () => {
  it('are known by name to their folders and the registry alone', () => {
    const files = globSync(`src/{${ASKING.join(',')}}/**/*.ts`, { cwd: root, exclude: ['**/*.test.ts'] })
    expect(files.length).toBeGreaterThan(500)
    const places = files.flatMap(file => languageNames(file, readFileSync(join(root, file), 'utf8')))
    expect(places.map(({ file, line, written }) => `${file}:${line}: ${written}`)).toEqual([])
  })

  const written = (text: string, file = 'src/knowledge/a.ts') => languageNames(file, text).map(each => each.written)

  it.each([
    ["languageOf(path) === 'python'", 'python'],
    ["language !== 'go'", 'go'],
    ["switch (language) { case 'c': }", 'c'],
    ['/^(java|kotlin)$/.test(language)', '^(java|kotlin)$'],
    ['/\\.pyi?$/.test(path)', '\\.pyi?$'],
    ['/\\.[cm]?[jt]sx?$/.test(path)', '\\.[cm]?[jt]sx?$'],
    ["path.endsWith('.rs')", '.rs'],
    ['`${stem}/__init__.py`', '/__init__.py'],
    ['isPython(path)', 'isPython'],
    ['const pythonModules = 1', 'pythonModules'],
    ['const PYTHON_WORDS = []', 'PYTHON_WORDS'],
    ["server.name === 'clangd'", 'clangd'],
    ["throw new Error('pyright finds none')", 'pyright finds none'],
  ])('are found where one is named: %s', (text, name) => {
    expect(written(text)).toContain(name)
  })

  it.each([
    ["import { parse } from '../languages/javascript/parse.ts'", 'src/knowledge/a.ts'],
    ['// Python has no brackets', 'src/knowledge/a.ts'],
    ["const kind = 'go on'", 'src/knowledge/a.ts'],
    ["const example = { path: 'src/a.py', language: 'python' }", 'src/contracts/toolwright/a.ts'],
  ])('are not found in an import, a comment or an example: %s', (text, file) => {
    expect(written(text, file)).toEqual([])
  })

  it('are compared in no contract and on no surface', () => {
    expect(written("language === 'python'", 'src/surfaces/cli/a.ts')).toEqual(['python'])
  })
})
