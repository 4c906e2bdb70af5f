import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { grammarFile } from './grammar-file.ts'

it('takes the copy of the build, from its entry and from its chunks, and else that of the package', () => {
  const build = mkdtempSync(join(tmpdir(), 'toolwright-grammar-'))
  try {
    mkdirSync(join(build, 'grammars'))
    const copy = join(build, 'grammars', 'tree-sitter-swift.wasm')
    writeFileSync(copy, '')
    const grammar = '@repomix/tree-sitter-wasms/out/tree-sitter-swift.wasm'
    for (const file of ['parser.cjs', 'cli/model.cjs'])
      expect(grammarFile(grammar, pathToFileURL(join(build, file)).href)).toBe(copy)
    expect(grammarFile(grammar)).toContain(join('node_modules', '@repomix'))
  } finally {
    rmSync(build, { recursive: true, force: true })
  }
})
