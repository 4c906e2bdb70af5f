import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readCoverage } from './read-coverage.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-coverage-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('gives the scripts of every test file', () => {
  for (const name of ['a', 'b'])
    writeFileSync(
      join(folder, `${name}.json`),
      JSON.stringify({ testFile: `${name}.test.ts`, scripts: [{ url: name, functions: [] }] }),
    )
  expect(readCoverage(folder, ['a.test.ts', 'b.test.ts']).map(({ url }) => url)).toEqual(['a', 'b'])
})

it('fails where no coverage was taken, or not of every test file', () => {
  expect(() => readCoverage(join(folder, 'nowhere'), ['a.test.ts'])).toThrow('No coverage was taken of a.test.ts')
  writeFileSync(join(folder, 'a.json'), JSON.stringify({ testFile: 'a.test.ts', scripts: [] }))
  expect(() => readCoverage(folder, ['a.test.ts', 'b.test.ts'])).toThrow('No coverage was taken of b.test.ts')
})
