import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { creates, reads, writes, type Claim } from '../../../kernel/claim.ts'
import { ToolError } from '../../../kernel/error.ts'
import type { Workspace } from '../../workspace/workspace.ts'
import { applyPatch } from './patch.ts'
import { createReadMemory } from '../../workspace/read-memory.ts'
import { createStaging } from '../../workspace/staging.ts'
import { openRoot } from '../../workspace/root.ts'
import { openWorkspace } from '../../workspace/open-workspace.ts'
import { patchPaths } from './patch-paths.ts'

interface Row {
  readonly id: string
  readonly name: string
  readonly before: Readonly<Record<string, string>>
  readonly patch: string
  readonly expect: 'apply' | 'reject' | 'either'
  readonly expect_fuzzy_mode?: 'apply'
  readonly after?: Readonly<Record<string, string>>
}

const rows = readFileSync(new URL('../../../../tests/data/attack/patches.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line) as Row)

/** Which files a tool may change is for policy to say: the engine's part is to name them all. */
const protectedFile = /^\.(?:git|sage)\//
const forPolicy = rows.filter(row => Object.keys(row.before).some(path => protectedFile.test(path)))

describe('the corpus of patches', () => {
  it.each(rows.filter(row => !forPolicy.includes(row)))('$id $name: $expect', row => {
    const { outcome, after } = run(row, 0)
    if (row.expect !== 'either') expect(outcome).toBe(row.expect)
    expect(outcome === 'apply' && row.after !== undefined && !('count' in row.after) ? after : row.after).toEqual(
      row.after,
    )
  })

  it.each(rows.filter(row => row.expect_fuzzy_mode === 'apply'))('$id $name: applies with fuzz', row => {
    expect(run(row, 3).outcome).toBe('apply')
  })

  it.each(forPolicy)('$id $name: names what policy protects', row => {
    expect(patchPaths(row.patch).writes.some(path => protectedFile.test(path))).toBe(true)
  })
})

function run(row: Row, fuzz: number): { outcome: 'apply' | 'reject'; after: Record<string, string> } {
  const base = mkdtempSync(join(tmpdir(), 'toolwright-corpus-'))
  const directory = join(base, 'ws')
  mkdirSync(directory)
  writeFileSync(join(base, 'outside.txt'), 'OUT\n')
  for (const [name, content] of Object.entries(row.before)) plant(directory, name, content)
  const root = openRoot(directory)
  const staging = createStaging()
  const open = (grant: readonly Claim[]) => openWorkspace(root, { grant, staging, memory: createReadMemory() })
  try {
    const paths = patchPaths(row.patch)
    const ws = open([...reads(...paths.reads), ...writes(...paths.writes), ...creates(...paths.creates)])
    applyPatch(ws, row.patch, { fuzz })
    const after: Record<string, string> = {}
    collect(open([{ action: 'read', resource: '**' }]), '.', after)
    return { outcome: 'apply', after }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    expect(staging.isEmpty()).toBe(true)
    expect(readFileSync(join(base, 'outside.txt'), 'utf8')).toBe('OUT\n')
    expect(readdirSync(base).toSorted()).toEqual(['outside.txt', 'ws'])
    return { outcome: 'reject', after: {} }
  } finally {
    root.close()
    rmSync(base, { recursive: true, force: true })
  }
}

function plant(directory: string, name: string, content: string): void {
  const place = join(directory, name.replace(/^@|#x$/g, ''))
  mkdirSync(dirname(place), { recursive: true })
  if (name.startsWith('@')) symlinkSync(content, place)
  else if (name.endsWith('#x')) chmodSync(place, 0o755)
  else writeFileSync(place, content)
}

function collect(ws: Workspace, path: string, into: Record<string, string>): void {
  for (const entry of ws.list(path)) {
    if (entry.type === 'directory') collect(ws, entry.path, into)
    if (entry.type !== 'file') continue
    into[entry.path] = ws.read(entry.path).bytes.toString()
    if ((entry.mode & 0o100) !== 0) into[`${entry.path}#x`] = '1'
  }
}
