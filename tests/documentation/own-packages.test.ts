import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openToolkit, type Toolkit } from '../../src/toolkit.ts'

const ROOT = join(import.meta.dirname, '../..')

let base: string
let kit: Toolkit
beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'toolwright-test-'))
  const env = { PATH: process.env['PATH'], HOME: base, TOOLWRIGHT_STATE: join(base, 'state') }
  kit = await openToolkit({ root: ROOT, env: { ...env, TOOLWRIGHT_CONFIG_HOME: join(base, 'config') }, effects: 'off' })
  // The first search waits for the index.
  await kit.call('docs', { query: 'index everything' })
}, 120_000)
afterAll(async () => {
  await kit.close()
  rmSync(base, { recursive: true, force: true })
})

interface Result {
  readonly path: string
  readonly heading: string
  readonly package: string
  readonly version: string
  readonly line: number
}

const results = async (query: string): Promise<readonly Result[]> =>
  Object(await kit.call('docs', { query, limit: 3 })).data.results

describe('documentation of the packages of this repository', () => {
  it.each([
    ['how do I read a file synchronously in node', '@types/node', /readFileSync/],
    ['node fs watch a directory recursively', '@types/node', /^watch$/],
    ['zod email address validation', 'zod', /email/i],
    ['vitest mock a module', 'vitest', /\bmock$/],
    ['picomatch match dotfiles', 'picomatch', /Picomatch options/],
    ['cross-spawn on windows shebang', 'cross-spawn', /Shebangs support/],
    ['turndown keep html tags', 'turndown', /keep\(filter\)/],
    ['magic-string generate a source map', 'magic-string', /generateMap/],
    ['jose sign a JWT', 'jose', /SignJWT/],
    ['unpdf extract text from a PDF', 'unpdf', /Extract Text From PDF/],
  ])('answers "%s" within its first three results', async (query, name, heading) => {
    const found = await results(query)
    expect(found).toHaveLength(3)
    const fitting = found.filter(each => each.package === name && heading.test(each.heading))
    expect({ found, isThere: fitting.length > 0 }).toMatchObject({ isThere: true })
    const [hit] = fitting
    expect(hit?.path.startsWith('node_modules/')).toBe(true)
    expect(hit?.version).toMatch(/^\d+\.\d+\.\d+/)
  })

  it('gives a place that `read` opens at the text', async () => {
    const [first] = await results('turndown keep html tags')
    const { data } = Object(await kit.call('read', { path: first?.path, from: first?.line, to: first?.line }))
    expect(data.content).toContain('keep(filter)')
  })
})
