import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources } from './architecture/repository.ts'
import { roomEdges, unusedEdges } from './architecture/rooms.ts'
import { violations } from './architecture/violations.ts'

const root = dirname(import.meta.dirname)
const sources = globSync('src/**/*.ts', { cwd: root })

describe('the architecture', () => {
  it('is kept by every source file', () => {
    expect(sources.length).toBeGreaterThan(0)
    const files = sources.map(file => [file.replaceAll('\\', '/'), readFileSync(join(root, file), 'utf8')])
    expect(violations(Object.fromEntries(files))).toEqual([])
  })

  it('allows no edge between rooms that nobody needs', () => {
    const modules = readSources()
    expect(unusedEdges(modules)).toEqual([])
    expect(unusedEdges(modules, { 'src/machine': { state: ['journal'] } })).toEqual(['src/machine: state → journal'])
  })
})

const clean = {
  'src/kernel/claim.ts': `import { z } from 'zod'\nexport const claim = z.string()`,
  'src/machine/text/read.ts': `import { openSync } from 'node:fs'\nimport { claim } from '../../kernel/claim.ts'\nexport const read = [openSync, claim]`,
  'src/guards/decide.ts': `import { claim } from '../kernel/claim.ts'\n// Date.now() is handed in\nexport const decide = (at: number) => [new Date(at), claim]`,
  'src/contracts/define-tool.ts': `export const defineTool = <T>(tool: T): T => tool`,
  'src/contracts/sage/read.ts': `import { defineTool } from '../define-tool.ts'\nimport { read } from '../../machine/text/read.ts'\nexport const readTool = defineTool({ read })`,
  'src/contracts/sage/contract.ts': `import { readTool } from './read.ts'\nexport const sage = { tools: [readTool] }`,
  'src/runtime/run.ts': `import { decide } from '../guards/decide.ts'\nexport const run = () => decide(Date.now())`,
  'src/toolkit.ts': `import { sage } from './contracts/sage/contract.ts'\nimport { run } from './runtime/run.ts'\nexport const toolkit = [sage, run]`,
  'src/surfaces/cli/main.ts': `import { readFileSync } from 'node:fs'\nexport const main = async () => [readFileSync, await import('../../toolkit.ts')]`,
}

describe('the architecture test', () => {
  it('finds nothing in a clean house', () => {
    expect(violations(clean)).toEqual([])
  })

  it.each<[breach: string, file: string, text: string, found: RegExp]>([
    [
      'a guard that knows a contract by its name',
      'src/guards/grant.ts',
      `export const grantSage = (contract: string) => contract === 'sage'`,
      /no contract is known by name/,
    ],
    [
      'a kernel that knows an engine',
      'src/kernel/x.ts',
      `import { read } from '../machine/text/read.ts'`,
      /kernel may not import machine/,
    ],
    [
      'a type from a higher level',
      'src/kernel/x.ts',
      `import type { read } from '../machine/text/read.ts'`,
      /kernel may not import machine/,
    ],
    [
      'a re-export from a higher level',
      'src/kernel/x.ts',
      `export * from '../guards/decide.ts'`,
      /kernel may not import guards/,
    ],
    [
      'a lazy import of a higher level',
      'src/machine/text/x.ts',
      `export const x = () => import('../../toolkit.ts')`,
      /machine may not import toolkit\.ts/,
    ],
    [
      'an engine that knows a guard',
      'src/machine/text/x.ts',
      `import { decide } from '../../guards/decide.ts'`,
      /machine may not import guards/,
    ],
    [
      'a guard that knows an engine',
      'src/guards/x.ts',
      `import { read } from '../machine/text/read.ts'`,
      /guards may not import machine/,
    ],
    [
      'a contract that knows the runtime',
      'src/contracts/sage/x.ts',
      `import { run } from '../../runtime/run.ts'`,
      /contracts may not import runtime/,
    ],
    [
      'a runtime that knows a contract',
      'src/runtime/x.ts',
      `import { own } from '../contracts/own/contract.ts'`,
      /runtime may not import contracts/,
    ],
    [
      'a runtime that knows an engine',
      'src/runtime/x.ts',
      `import { read } from '../machine/text/read.ts'`,
      /runtime may not import machine/,
    ],
    [
      'a contract that knows another',
      'src/contracts/other/x.ts',
      `import { readTool } from '../sage/read.ts'`,
      /a contract may not import another/,
    ],
    [
      'a configuration that knows the toolkit',
      'src/config/x.ts',
      `import { toolkit } from '../toolkit.ts'`,
      /config may not import toolkit\.ts/,
    ],
    [
      'a machine that knows what is kept between calls',
      'src/machine/text/x.ts',
      `import type { Tree } from '../../knowledge/tree/tree.ts'`,
      /machine may not import knowledge/,
    ],
    [
      'an edge between rooms that is not listed',
      'src/machine/journal/x.ts',
      `import type { read } from '../text/read.ts'`,
      /journal may not import text in src\/machine/,
    ],
    [
      'a room that is not listed',
      'src/machine/stuff/x.ts',
      `import type { read } from '../text/read.ts'`,
      /src\/machine\/stuff is not a room/,
    ],
    [
      'a toolkit that knows a surface',
      'src/toolkit.ts',
      `import type { other } from './surfaces/cli/other.ts'`,
      /toolkit\.ts may not import surfaces/,
    ],
    [
      'a testing kit that knows a surface',
      'src/testing/x.ts',
      `import { main } from '../surfaces/cli/main.ts'`,
      /testing may not import surfaces/,
    ],
    ['a folder without a level', 'src/stuff/x.ts', `export const x = 1`, /src\/stuff has no place/],
    ['a kernel with a package', 'src/kernel/x.ts', `import { RE2JS } from 're2js'`, /zod only, not re2js/],
    [
      'files in the runtime',
      'src/runtime/x.ts',
      `import { readFileSync } from 'node:fs'`,
      /only machine, languages, knowledge, service, surfaces and testing may import node:fs/,
    ],
    [
      'files in a contract, promised',
      'src/contracts/sage/x.ts',
      `import { readFile } from 'node:fs/promises'`,
      /may import node:fs\/promises/,
    ],
    ['files by the bare name', 'src/guards/x.ts', `import { readFileSync } from 'fs'`, /may import fs/],
    [
      'a process in the toolkit, lazily',
      'src/toolkit.ts',
      `export const x = () => import('node:child_process')`,
      /may import node:child_process/,
    ],
    [
      'a database in a guard',
      'src/guards/x.ts',
      `import { DatabaseSync } from 'node:sqlite'`,
      /may import node:sqlite/,
    ],
    ['a guard with a clock', 'src/guards/x.ts', `export const x = Date.now()`, /no Date\.now/],
    ['a guard with the date', 'src/guards/x.ts', `export const x = new Date()`, /no new Date\(\)/],
    ['a guard with randomness', 'src/guards/x.ts', `import { randomUUID } from 'node:crypto'`, /no randomUUID/],
    ['a guard that reads the environment', 'src/guards/x.ts', `export const x = process.env`, /no process\./],
    [
      'a tool that is not listed',
      'src/contracts/sage/x.ts',
      `import { defineTool } from '../define-tool.ts'\nexport const x = defineTool({})`,
      /contract\.ts does not import/,
    ],
    [
      'a tool without a contract',
      'src/contracts/other/x.ts',
      `import { defineTool } from '../define-tool.ts'\nexport const x = defineTool({})`,
      /other\/contract\.ts does not exist/,
    ],
    ['a long file', 'src/machine/text/x.ts', '//\n'.repeat(401), /401 lines/],
    ['a folder of leftovers', 'src/machine/text/utils/x.ts', `export const x = 1`, /no folder is called utils/],
    ['a name that is a pattern', 'src/machine/text/x.ts', `export class FileManager {}`, /FileManager names a pattern/],
    [
      'a pattern in a function name',
      'src/machine/text/x.ts',
      `export const signalHandler = 1`,
      /signalHandler names a pattern/,
    ],
    ['a base type', 'src/machine/text/x.ts', `export interface BaseTool {}`, /BaseTool names a pattern/],
    [
      'a file named after a pattern',
      'src/machine/text/path-utils.ts',
      `export const x = 1`,
      /path-utils\.ts names a pattern/,
    ],
  ])('finds %s', (_breach, file, text, found) => {
    const result = violations({ ...clean, [file]: text })
    expect(result).toHaveLength(1)
    expect(result[0]).toMatch(found)
    expect(result[0]).toContain(file)
  })

  it('finds a ring of imports, and one of types', () => {
    const ring = (kind: string) => ({
      'src/machine/text/a.ts': `import { b } from './b.ts'\nexport const a = () => b`,
      'src/machine/text/b.ts': `import { c } from './c.ts'\nexport const b = () => c`,
      'src/machine/text/c.ts': `import ${kind}{ a } from './a.ts'\nexport const c = 1`,
    })
    for (const kind of ['', 'type '])
      expect(violations(ring(kind))).toEqual([
        'import cycle: src/machine/text/a.ts → src/machine/text/b.ts → src/machine/text/c.ts → src/machine/text/a.ts',
      ])
  })

  it('finds a floor whose list is not in order', () => {
    expect(roomEdges([], { 'src/machine': { text: ['journal'], journal: [] } })).toEqual([
      'src/machine: text imports journal, which is not listed before it',
    ])
  })

  it('lets ordinary words be', () => {
    const text = 'export const hashOfBase = 1, basePath = 2, database = 3, utilise = 4'
    expect(violations({ 'src/machine/text/baseline.ts': text })).toEqual([])
  })
})
