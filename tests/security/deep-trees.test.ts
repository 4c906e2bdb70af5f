// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { fakePerson } from '../../src/testing/fakes.ts'
import { needs } from '../needs.ts'
import { makeWorld, type World } from './world.ts'

const it = needs('bubblewrap')

/** No answer may take longer; generous, because the machine may be busy with others. */
const MOST_MS = 20_000
const LEVELS = [190, 5_000, 200_000]

/** Directories `d` in each other below a directory, the last with a file; longer than any path can name. */
function dig(directory: string, depth: number): void {
  mkdirSync(directory, { recursive: true })
  const script =
    'chdir $ARGV[0]; for (1..$ARGV[1]) { mkdir "d"; chdir "d" or die $! } open F, ">", "leaf.ts"; print F "export const needle = 1\n"'
  execFileSync('perl', ['-e', script, directory, String(depth)])
}

const DIG = (depth: number, directory: string): string =>
  `perl -e 'mkdir "${directory}"; chdir "${directory}"; for (1..${depth}) { mkdir "d"; chdir "d" or die $! } open F, ">", "leaf.txt"; print F "x"'`

interface Called {
  readonly tool: string
  readonly input: object
  readonly contract?: string
}

/** Calls in a workspace that holds a deep tree named `deep`. */
const AROUND: readonly Called[] = [
  { tool: 'list', input: { depth: 20 } },
  { tool: 'list', input: { path: 'deep', depth: 20, all: true, sizes: true } },
  { tool: 'find', input: { glob: '*.ts' } },
  { tool: 'grep', input: { pattern: 'needle' } },
  { tool: 'grep', input: { pattern: 'needle', only: 'counts', globs: ['*.ts'] } },
  { tool: 'symbols', input: { query: 'needle' } },
  { tool: 'index', input: { by: 'all' } },
  { tool: 'graph', input: { query: 'MATCH (f:File) RETURN f.path LIMIT 3' } },
  { tool: 'write', input: { path: 'new.txt', content: 'x' } },
  { tool: 'move', input: { from: 'deep', to: 'elsewhere' } },
  { tool: 'delete', input: { path: 'deep' } },
  { tool: 'Read', input: { file: 'a.ts' }, contract: 'sage' },
  { tool: 'list_dir', input: { path: 'deep' }, contract: 'cli-agent' },
  { tool: 'file_search', input: { pattern: '**/*.ts' }, contract: 'cli-agent' },
  { tool: 'grep_search', input: { pattern: 'needle' }, contract: 'cli-agent' },
]

/** Calls with a path of so many names. */
const NAMED = (names: number): readonly Called[] => {
  const path = `${'w/'.repeat(names)}x.txt`
  return [
    { tool: 'read', input: { path } },
    { tool: 'write', input: { path, content: 'x' } },
    { tool: 'edit', input: { path, edits: [{ old: 'a', new: 'b' }] } },
    { tool: 'list', input: { path } },
    { tool: 'grep', input: { pattern: 'x', path } },
    { tool: 'find', input: { glob: path } },
    { tool: 'delete', input: { path } },
    { tool: 'move', input: { from: 'a.ts', to: path } },
    { tool: 'patch', input: { diff: `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n` } },
    { tool: 'Write', input: { file: path, content: 'x' }, contract: 'sage' },
    { tool: 'create_directory', input: { path }, contract: 'cli-agent' },
    { tool: 'create_file', input: { path, content: 'x' }, contract: 'cli-agent' },
  ]
}

async function opened(world: World) {
  writeFileSync(join(world.root, 'a.ts'), 'export const a = 1\n')
  const yes = Array.from({ length: 20 }, () => 'yes' as const)
  return world.open({
    contract: 'toolwright',
    resident: 'off',
    permissions: ['fs:read', 'fs:write', 'fs:create', 'exec'],
    approve: fakePerson(...yes),
  })
}

type Kit = Awaited<ReturnType<typeof opened>>

/** Runs a call, which must answer in time and in words of ours. */
async function answered(kit: Kit, { tool, input, contract = 'toolwright' }: Called) {
  const since = performance.now()
  const { outcome } = await kit.run(tool, input, { contract })
  const code = outcome.ok ? 'ok' : outcome.error.code
  const message = outcome.ok ? '' : outcome.error.message
  const isLate = performance.now() - since > MOST_MS
  expect({ tool, code, message, isLate }).toMatchObject({ isLate: false })
  expect({ tool, code, message }).not.toMatchObject({ code: expect.stringMatching(/^(internal|timeout)$/) })
  expect(message).not.toMatch(/call stack|ENAMETOOLONG|EMFILE/)
  return outcome
}

/** What commands and commits leave in the state directory. */
const leftIn = (world: World): readonly string[] => {
  const state = world.env['TOOLWRIGHT_STATE'] ?? ''
  return readdirSync(state, { recursive: true, encoding: 'utf8' }).filter(path => /commands\/./.test(path))
}

describe.each([2_500])('a tree of %d directories', depth => {
  it('is answered about in time, or refused in words', { timeout: 300_000 }, async () => {
    await using world = makeWorld()
    dig(join(world.root, 'deep'), depth)
    try {
      const kit = await opened(world)
      for (const called of AROUND) await answered(kit, called)
      expect(existsSync(join(world.root, 'deep/d/d'))).toBe(true)
    } finally {
      execFileSync('rm', ['-rf', join(world.root, 'deep')])
    }
  })
})

describe.each([150, 6_000])('a tree of %d directories', depth => {
  it('made or removed by a command leaves nothing behind', { timeout: 300_000 }, async () => {
    await using world = makeWorld()
    dig(join(world.root, 'deep'), depth)
    try {
      const kit = await opened(world)
      const isSmall = depth < 200
      for (const command of ['true', DIG(depth, 'made'), 'cp -r deep copy', 'rm -r deep']) {
        const outcome = await answered(kit, { tool: 'run', input: { command } })
        if (command === 'true' || isSmall) expect({ command, outcome }).toMatchObject({ outcome: { ok: true } })
        else if (!outcome.ok)
          expect({ command, message: outcome.error.message }).toMatchObject({
            message: expect.stringContaining('200'),
          })
      }
      expect(existsSync(join(world.root, 'made'))).toBe(isSmall)
      expect(leftIn(world)).toEqual([])
    } finally {
      execFileSync('rm', ['-rf', ...['deep', 'made', 'copy'].map(name => join(world.root, name))])
    }
  })
})

describe.each([150, 1_900])('a path of %d names', names => {
  it('is used or refused by its limit', { timeout: 120_000 }, async () => {
    await using world = makeWorld()
    const kit = await opened(world)
    for (const called of NAMED(names)) {
      const outcome = await answered(kit, called)
      if (names < 200 || called.tool === 'find') continue
      expect({ ...called, outcome }).toMatchObject({
        outcome: { ok: false, error: { message: expect.stringContaining('more than 200 names') } },
      })
      expect(Object(outcome).error.hint).toContain('200')
    }
    if (names > 200) expect(readdirSync(world.root)).toEqual(['a.ts'])
  })
})

/** Objects and arrays in each other, made without a call for each. */
function nested(levels: number, kind: 'object' | 'array'): unknown {
  let value: unknown = 1
  for (let at = 0; at < levels; at++) value = kind === 'object' ? { a: value } : [value]
  return value
}

const textOf = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

describe.each(LEVELS)('data nested %d levels deep', levels => {
  const rows: readonly Called[] = (['object', 'array'] as const).flatMap(kind => {
    const data = nested(levels, kind)
    return [
      { tool: 'check', input: { data, schema: 'domain_map' } },
      { tool: 'check', input: { text: '{}', schema: 'domain_map', more: data } },
      { tool: 'write', input: { path: 'x.txt', content: data } },
      { tool: 'read', input: { path: 'a.ts', more: data } },
      { tool: 'nowhere', input: { data } },
      { tool: 'graph', input: { query: 'RETURN 1', params: { data } } },
      { tool: 'GraphQuery', input: { query: 'RETURN 1', params: { data } }, contract: 'sage' },
      { tool: 'Write', input: { file: 'x.txt', content: data }, contract: 'sage' },
      { tool: 'todo', input: { todos: data }, contract: 'autonomous' },
      { tool: 'validate_output', input: { output: data }, contract: 'autonomous' },
    ]
  })

  it('is taken or refused by its limit', { timeout: 120_000 }, async () => {
    await using world = makeWorld()
    const kit = await opened(world)
    for (const called of rows) {
      const { tool, contract } = called
      const outcome = await answered(kit, called)
      if (levels < 200) continue
      expect({ tool, contract, outcome: outcome.ok }).toMatchObject({ outcome: false })
      expect(Object(outcome).error.message).toContain('more than 200 levels')
    }
    for (const text of [textOf(levels), `here it is: ${textOf(levels)}`])
      await answered(kit, { tool: 'check', input: { schema: 'domain_map', text } })
    expect(statSync(join(world.root, 'a.ts')).size).toBe('export const a = 1\n'.length)
  })
})
