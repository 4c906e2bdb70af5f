import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCommitStore, type CommitStore } from '../../src/engines/workspace/commit-store.ts'
import { commit } from '../../src/engines/workspace/commit.ts'
import { openWorkspace } from '../../src/engines/workspace/open-workspace.ts'
import { createReadMemory } from '../../src/engines/workspace/read-memory.ts'
import { openRoot, type Root } from '../../src/engines/workspace/root.ts'
import { createStaging } from '../../src/engines/workspace/staging.ts'
import type { Workspace } from '../../src/engines/workspace/workspace.ts'
import { ToolError } from '../../src/kernel/error.ts'
import { buildFixture, hashTree, type Fixture } from './build-fixture.ts'

interface Row {
  readonly id: string
  readonly op: string
  readonly path: unknown
  readonly class: string
  readonly expect: 'allow' | 'deny' | 'ask' | 'either'
  readonly ok?: readonly string[]
  readonly exists?: boolean
  readonly resolves_to?: string
}

const data = join(import.meta.dirname, '../data/attack')
const fixture: Fixture = JSON.parse(readFileSync(join(data, 'path-fixture.json'), 'utf8'))
/** Rows that the engine alone must answer; protected places, agent settings and other systems are for policy. */
const rows: Row[] = readFileSync(join(data, 'path-traversal.jsonl'), 'utf8')
  .split('\n')
  .filter(line => line !== '')
  .map(line => JSON.parse(line))
  .filter((row: Row) => !['protected', 'protected-alias', 'agent-config', 'windows', 'walk'].includes(row.class))

const REFUSALS = ['outside_workspace', 'invalid_input', 'not_a_file', 'not_a_directory', 'exists']
const acts: Record<string, (workspace: Workspace, path: string) => unknown> = {
  read: (workspace, path) => workspace.read(path).bytes.toString('latin1'),
  write: (workspace, path) => workspace.put(path, Buffer.from('written\n')),
  patch: (workspace, path) => workspace.put(path, Buffer.from('patched\n')),
  edit(workspace, path) {
    const { bytes } = workspace.read(path)
    workspace.put(path, Buffer.concat([bytes, Buffer.from('more\n')]))
  },
  list: (workspace, path) => workspace.list(path),
  grep: (workspace, path) => workspace.list(path),
  shell_cwd: (workspace, path) => workspace.list(path),
  stat: (workspace, path) => workspace.stat(path),
  mkdir: (workspace, path) => workspace.makeDirectory(path),
  delete: (workspace, path) => workspace.remove(path),
  move_src: (workspace, path) => workspace.move(path, 'moved-here'),
  move_dst: (workspace, path) => workspace.move('a.txt', path),
}

let base: string
let state: string
let root: Root
let store: CommitStore
let outside: string
let commits = 0

const fill = (text: string) => text.replaceAll('{ROOT}', join(base, 'ws')).replaceAll('{BASE}', base)

beforeAll(() => plant())
afterAll(() => clear())

async function plant(): Promise<void> {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'toolwright-paths-')))
  await buildFixture(base, fixture, fill)
  root = openRoot(join(base, 'ws'))
  state = mkdtempSync(join(tmpdir(), 'toolwright-state-'))
  store = openCommitStore(root, state)
  outside = hashTree(base, 'ws')
}

function clear(): void {
  store.close()
  root.close()
  for (const directory of [base, state]) rmSync(directory, { recursive: true, force: true })
}

/** Takes the call all the way to the disk, as a call of its own. */
function call(row: Row): { code: string; output: string } {
  const staging = createStaging()
  const grant = [{ action: 'read', resource: '**' } as const, { action: 'write', resource: '**' } as const]
  const workspace = openWorkspace(root, { grant, staging, memory: createReadMemory() })
  const path = typeof row.path === 'string' ? fill(row.path) : (row.path as string)
  try {
    const output = JSON.stringify(acts[row.op]?.(workspace, path) ?? null)
    const diffs = workspace.changes().map(change => change.diff())
    commit(root, store, staging.toOperations(), { id: `c${commits++}` })
    return { code: 'ok', output: output + diffs.join('') }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { code: error.code, output: error.message + (error.hint ?? '') }
  }
}

describe('SG-18: the engine alone, on every row that is about paths', () => {
  it('covers every verb', () => {
    expect(rows.length).toBeGreaterThan(120)
    expect(rows.filter(row => acts[row.op] === undefined)).toEqual([])
  })

  it.each(rows.map(row => [row.id, row.op, JSON.stringify(row.path).slice(0, 60), row] as const))(
    '%s: %s %s',
    async (_id, _op, _path, row) => {
      const start = performance.now()
      const { code, output } = call(row)
      expect(performance.now() - start).toBeLessThan(1000)
      expect(hashTree(base, 'ws')).toBe(outside)
      // The one place inside that holds the text is a second name of an outside file: only its own content may show it.
      if (!JSON.stringify(row.path).includes('hard-out')) expect(output).not.toContain(fixture.canary)
      const accepted = row.ok ?? [row.expect]
      if (row.expect === 'deny') expect(REFUSALS).toContain(code)
      else if (!accepted.includes('deny') && row.expect === 'allow') expect(code).toBe('ok')
      else expect(['ok', 'not_found', ...REFUSALS]).toContain(code)
      if (row.resolves_to !== undefined) expect(resolved(row)).toBe(row.resolves_to)
      if (code === 'ok' && !['read', 'list', 'stat'].includes(row.op)) {
        clear()
        await plant()
      }
    },
  )
})

function resolved(row: Row): string {
  const located = root.resolve(fill(String(row.path)))
  located.release()
  return located.rel
}
