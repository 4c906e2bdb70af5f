import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { migrationTable } from '../../scripts/docs/migration-table.ts'
import { storedSchemas } from '../../scripts/docs/schemas.ts'
import { toolwright } from '../../src/contracts/toolwright/contract.ts'
import { defineTool } from '../../src/engines/engines.ts'
import { WIRE_FORMS, wireForm } from '../../src/kernel/wire-forms.ts'
import { judgeAnnouncements, recordDeprecations, type Deprecation } from './deprecations.ts'
import { judge, schemasOf, type Stored } from './stored.ts'

const root = join(import.meta.dirname, '../..')
const deprecated = '[DEPRECATED] Use path'

/** A contract whose only tool has this version, these parameters and this description. */
const contractOf = (version: string, input: z.ZodObject, description = 'Shouts.') => ({
  ...toolwright,
  id: 'any',
  tools: [
    defineTool({
      name: 'shout',
      version,
      description,
      input,
      output: z.strictObject({ ok: z.boolean() }),
      effects: ['read'],
      claims: () => [],
      run: () => ({ ok: true }),
      examples: [{ input: {} }],
    }),
  ],
})
type AnyContract = ReturnType<typeof contractOf>

const path = z.strictObject({ path: z.string().optional() })
const both = path.extend({ file: z.string().optional() })
const announced = path.extend({ file: z.string().optional().describe(deprecated) })

/** Stores one release after another, as `npm run docs` does; stops at the first that it refuses. */
function release(...releases: readonly (AnyContract | undefined)[]) {
  let stored: Stored = {}
  let deprecations: readonly Deprecation[] = []
  for (const contract of releases) {
    const given = contract ? [contract] : []
    const now = schemasOf(given)
    const problems = [...judge(stored, now, deprecations), ...judgeAnnouncements(deprecations, given, stored)]
    if (problems.length > 0) return { problems, deprecations }
    deprecations = recordDeprecations(deprecations, given, { stored, now })
    stored = now
  }
  return { problems: [], deprecations }
}

describe('DA-12, SG-09: a deprecated parameter', () => {
  const start = contractOf('1.0.0', both)
  const answering = ['1.1.0', '1.2.0', '1.3.0'].map(version => contractOf(version, announced))

  it('goes with a new major version after it was announced and answered for two more', () => {
    const { problems, deprecations } = release(start, ...answering, contractOf('2.0.0', path))
    expect(problems).toEqual([])
    expect(deprecations).toEqual([
      {
        tool: 'any/shout',
        parameter: 'file',
        instead: 'Use path',
        versions: ['1.1.0', '1.2.0', '1.3.0'],
        removed: '2.0.0',
      },
    ])
  })

  it.each([
    ['was never announced', [start, contractOf('2.0.0', path)], /'file' is gone, and was not announced/],
    ['was answered once more', [start, ...answering.slice(1), contractOf('2.0.0', path)], /two more versions/],
    ['goes within a major version', [start, ...answering, contractOf('1.4.0', path)], /no new major version/],
    ['is announced without a version', [start, contractOf('1.0.0', announced)], /the version is still 1\.0\.0/],
    [
      'is required',
      [start, contractOf('2.0.0', path.extend({ file: z.string().describe(deprecated) }))],
      /deprecated and required/,
    ],
    [
      'has nothing in its place',
      [start, contractOf('1.1.0', path.extend({ file: z.string().optional().describe('[DEPRECATED]') }))],
      /what to do instead/,
    ],
  ])('is refused if it %s', (_case, releases, found) => {
    expect(release(...releases).problems).toEqual([expect.stringMatching(found)])
  })

  it('is announced once for a version, however often that is stored, and can be kept after all', () => {
    const [first] = answering
    expect(release(start, first, first, first).deprecations[0]?.versions).toEqual(['1.1.0'])
    expect(release(start, first, contractOf('1.2.0', both)).deprecations).toEqual([])
    expect(release(start, ...answering, contractOf('1.4.0', both), contractOf('2.0.0', path)).problems).toHaveLength(1)
  })

  it('is found inside a list', () => {
    const listed = (about: string) =>
      path.extend({ edits: z.array(z.strictObject({ old: z.string().optional().describe(about) })).optional() })
    const { deprecations } = release(contractOf('1.0.0', listed('x')), contractOf('1.1.0', listed(deprecated)))
    expect(deprecations).toMatchObject([{ parameter: 'edits[].old', versions: ['1.1.0'] }])
  })

  it('is marked wherever a model or a person reads the schema', () => {
    const [tool] = contractOf('1.1.0', announced).tools
    for (const form of WIRE_FORMS) expect(JSON.stringify(tool && wireForm(tool, form))).toContain(deprecated)
  })
})

describe('DA-12, SG-09: a deprecated tool', () => {
  const start = contractOf('1.0.0', path)
  const answering = ['1.1.0', '1.2.0', '1.3.0'].map(version => contractOf(version, path, '[DEPRECATED] Use any/say'))

  it('goes after it was announced and answered for two more versions', () => {
    expect(release(start, ...answering, undefined)).toMatchObject({
      problems: [],
      deprecations: [{ tool: 'any/shout', instead: 'Use any/say', removed: '1.3.0' }],
    })
  })

  it('is refused if it goes earlier', () => {
    expect(release(start, ...answering.slice(1), undefined).problems).toEqual([expect.stringContaining('is gone')])
  })
})

describe('the migration guide', () => {
  it('DA-12: names what is deprecated or gone, since when, and what to use instead', () => {
    const { deprecations } = release(
      contractOf('1.0.0', both),
      ...['1.1.0', '1.2.0', '1.3.0'].map(version => contractOf(version, announced)),
      contractOf('2.0.0', path, '[DEPRECATED] Use any/say'),
    )
    expect(migrationTable(deprecations).split('\n').slice(2)).toEqual([
      '| `any/shout` | `file` | 1.1.0 | 2.0.0 | Use path |',
      '| `any/shout` | the tool | 2.0.0 |  | Use any/say |',
    ])
  })

  it('DA-12: is that of the stored deprecations, which are those of the tools (npm run docs stores them)', () => {
    const { files, problems } = storedSchemas()
    expect(problems).toEqual([])
    expect([...files.keys()]).toContain('tests/data/deprecations.json')
    for (const [file, text] of files) expect(readFileSync(join(root, file), 'utf8')).toBe(text)
    const page = readFileSync(join(root, 'docs/migration.md'), 'utf8')
    const stored: readonly Deprecation[] = JSON.parse(readFileSync(join(root, 'tests/data/deprecations.json'), 'utf8'))
    for (const row of migrationTable(stored).split('\n').slice(2))
      for (const cell of row.split('|').map(text => text.trim())) expect(page).toContain(cell)
  })
})
