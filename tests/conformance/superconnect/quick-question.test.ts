// oxlint-disable vitest/no-standalone-expect -- what `needs` gives is an `it`, which the rule does not see
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/temporary-workspace.ts'
import { CLI } from '../../cli-program.ts'
import { needs } from '../../needs.ts'

const FILES = 1_200
const pathOf = (at: number): string => `src/p${at % 40}/m${at}.ts`
const NOTE = /^Only the files of this answer were checked; it may lack others/

let workspace: TemporaryWorkspace
beforeAll(() => {
  workspace = temporaryWorkspace(
    Object.fromEntries(Array.from({ length: FILES }, (_, at) => [pathOf(at), `export const x${at} = ${at}\n`])),
  )
})
afterAll(() => workspace.remove())

interface Answer {
  readonly files: readonly { readonly path: string; readonly exports: readonly string[] }[]
  readonly total_matches: number
  readonly truncated: boolean
}

const command = (query: object, limit = 50): readonly string[] => [
  CLI,
  'call',
  'queryIndex',
  JSON.stringify({ query, limit }),
  '--contract',
  'superconnect',
  '--json',
]
const place = () => ({ cwd: workspace.path, env: workspace.env, encoding: 'utf8' as const })

/** One program that asks and ends, and what the journal says of the call. */
function ask(value: string): Answer & { readonly warnings: readonly string[] } {
  const printed = execFileSync(process.execPath, command({ type: 'exports', value }), { ...place(), stdio: 'pipe' })
  const [journal = ''] = globSync(join(workspace.base, 'state/workspaces/*/journal/journal.jsonl'))
  const records = readFileSync(journal, 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  return { ...JSON.parse(printed), warnings: records.at(-1).warnings ?? [] }
}

/** Asks until an earlier program has stored the index; files that changed a moment ago are not stored. */
async function stored(): Promise<void> {
  await expect
    .poll(() => ask('x0').warnings.some(warning => NOTE.test(warning)), { timeout: 60_000, interval: 100 })
    .toBe(true)
}

describe('the first question of a program, among more files than are looked at in no time', () => {
  needs('strace')('SC-05: looks at the files of its answer before it, and at no other', async () => {
    await stored()
    const trace = join(workspace.base, 'trace')
    const args = ['-f', '-qq', '-s', '200', '-e', 'trace=%file,write', '-o', trace, process.execPath]
    execFileSync('strace', [...args, ...command({ type: 'exports', value: 'x7' })], { ...place(), stdio: 'pipe' })
    const lines = readFileSync(trace, 'utf8').split('\n')
    const printed = lines.findIndex(line => line.includes('write(1, "{\\"files'))
    const looks = lines.slice(0, printed).flatMap(line => /\/(src\/p\d+\/m\d+\.ts)"/.exec(line)?.[1] ?? [])
    expect(printed).toBeGreaterThan(0)
    expect([...new Set(looks)]).toEqual([pathOf(7)])
  })

  it('SC-05, SC-03: says in the journal what it may lack, cuts by the limit alone, and brings the index up to date after it', async () => {
    await stored()
    writeFileSync(join(workspace.path, 'src/p1/new.ts'), 'export const x5 = 1\n')
    const before = ask('x5')
    expect(before).toMatchObject({ files: [{ path: pathOf(5) }], total_matches: 1, truncated: false })
    expect(before.warnings).toEqual([expect.stringMatching(NOTE)])
    await expect.poll(() => ask('x5').total_matches, { timeout: 60_000, interval: 100 }).toBe(2)
  })

  it.each<[string, (path: string) => void, readonly string[]]>([
    ['changed', path => writeFileSync(path, 'export const x9 = 9, more = 1\n'), ['x9', 'more']],
    [
      'was replaced',
      path => (writeFileSync(`${path}.new`, 'export const x9 = 8\n'), renameSync(`${path}.new`, path)),
      ['x9'],
    ],
    ['is gone', path => rmSync(path), []],
  ])('SC-05: never answers with a file that %s', async (_how, change, exports) => {
    await stored()
    change(join(workspace.path, pathOf(9)))
    const { files, warnings } = ask('x9')
    expect(files.map(file => file.exports)).toEqual(exports.length > 0 ? [exports] : [])
    expect(warnings.filter(warning => NOTE.test(warning))).toEqual([])
    await pause(100)
  })
})
