import { execFileSync } from 'node:child_process'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GraphQuery } from '../../src/contracts.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import type { Toolkit } from '../../src/toolkit.ts'

const CALLS = 'MATCH (a)-[c:CALLS]->(b) RETURN a.id AS caller, b.id AS callee, c.line AS line ORDER BY caller, callee'
const FUNCTIONS = 'MATCH (f:Function) RETURN f.id AS id ORDER BY id'

let workspace: TemporaryWorkspace
let kit: Toolkit

beforeAll(async () => {
  workspace = temporaryWorkspace({ 'src/a.ts': 'export function one() {}\n' })
  git('init', '-q', '-b', 'main')
  commit()
  workspace.write('src/b.ts', "import { one } from './a.ts'\nexport function two() {\n  one()\n}\n")
  workspace.write('secret/keys.ts', 'export function key() {}\n')
  commit()
  git('tag', 'second')
  workspace.write('src/a.ts', 'export function eins() {}\nexport { eins as one }\n')
  commit()
  kit = await open()
})

afterAll(() => workspace.remove())

describe('the graph of a commit', () => {
  it('SG-14: is what git says was there, by hash, branch, tag and ancestor, without a checkout', async () => {
    const first = git('rev-parse', 'HEAD~2')
    expect(await rows(FUNCTIONS, first)).toEqual([{ id: 'src/a.ts#one' }])
    expect(await rows(FUNCTIONS, 'second')).toEqual([
      { id: 'secret/keys.ts#key' },
      { id: 'src/a.ts#one' },
      { id: 'src/b.ts#two' },
    ])
    expect(await rows(CALLS, 'HEAD~1')).toEqual([{ caller: 'src/b.ts#two', callee: 'src/a.ts#one', line: 3 }])
    expect(await rows(CALLS, 'main')).toEqual([{ caller: 'src/b.ts#two', callee: 'src/a.ts#eins', line: 3 }])
    const { data } = await ask({ query: FUNCTIONS, commit: 'HEAD~2' })
    expect(data).toMatchObject({ commit: first, columns: ['id'], truncated: false })
  })

  it('says what it does not know', async () => {
    expect(await ask({ query: FUNCTIONS, commit: 'nowhere' })).toMatchObject({
      error: { code: 'not_found', message: "Git knows no commit 'nowhere' here" },
    })
    expect(await ask({ query: FUNCTIONS, commit: '--all' })).toMatchObject({ error: { code: 'not_found' } })
    expect(await ask({ query: FUNCTIONS, commit: 'HEAD\0' })).toMatchObject({ error: { code: 'invalid_input' } })
  })

  it('is refused where git has lost a content, and is whole once that is back', async () => {
    workspace.write('src/lost.ts', 'export function lost() {}\n')
    commit()
    const [, blob = ''] = /blob (\w+)/.exec(git('ls-tree', 'HEAD', 'src/lost.ts')) ?? []
    const object = join(workspace.path, '.git/objects', blob.slice(0, 2), blob.slice(2))
    renameSync(object, join(workspace.base, 'object'))
    const query = "MATCH (f:Function) WHERE f.name = 'lost' RETURN f.path AS path"
    expect(await ask({ query, commit: 'HEAD' })).toMatchObject({
      error: { code: 'io', message: expect.stringContaining('src/lost.ts'), hint: expect.stringContaining('git fsck') },
    })
    renameSync(join(workspace.base, 'object'), object)
    expect(await rows(query, 'HEAD')).toEqual([{ path: 'src/lost.ts' }])
    git('rm', '-q', 'src/lost.ts')
    commit()
  })

  it('is answered about however many commits are asked about, one after the other and at once', async () => {
    for (let at = 0; at < 7; at++) {
      workspace.write('src/many.ts', `export function many${at}() {}\n`)
      commit()
    }
    const query = "MATCH (f:Function) WHERE f.path = 'src/many.ts' RETURN f.name AS name"
    const named = (back: number) => [{ name: `many${6 - back}` }]
    const backs = [0, 1, 2, 3, 4, 5, 6]
    for (const back of backs) expect(await rows(query, `HEAD~${back}`)).toEqual(named(back))
    const asked = [...backs, ...backs.toReversed()]
    expect(await Promise.all(asked.map(back => rows(query, `HEAD~${back}`)))).toEqual(asked.map(named))
    git('rm', '-q', 'src/many.ts')
    commit()
  })

  it('is found by the words of its message', async () => {
    const { data } = await ask({ query: FUNCTIONS, commit: ':/change' })
    expect(data).toMatchObject({ commit: git('rev-parse', ':/change') })
    expect(await ask({ query: FUNCTIONS, commit: ':/nobody wrote this' })).toMatchObject({
      error: { code: 'not_found' },
    })
  })

  it('tells two commits apart', async () => {
    const { data } = await ask({ diff: { from: 'second', to: 'main' } })
    expect(data?.['diff']).toEqual({
      functions: { added: ['src/a.ts#eins'], removed: ['src/a.ts#one'] },
      calls: { added: ['src/b.ts#two -> src/a.ts#eins'], removed: ['src/b.ts#two -> src/a.ts#one'] },
      exports: { added: ['src/a.ts: eins'], removed: [] },
    })
  })
})

describe('a file that cannot be parsed', () => {
  const deep = `export const deep = ${'('.repeat(3000)}1${')'.repeat(3000)}\n`

  it('is named in every answer that it is missing from, also when the graph is kept', async () => {
    expect((await ask({ query: FUNCTIONS })).data).toMatchObject({ partial: false })
    workspace.write('src/deep.ts', deep)
    commit()
    const unread = { partial: true, unread: ['src/deep.ts'] }
    try {
      expect((await ask({ query: FUNCTIONS })).data).toMatchObject(unread)
      expect((await ask({ query: FUNCTIONS, commit: 'HEAD' })).data).toMatchObject(unread)
      const again = await open()
      const { outcome } = await again.run('graph', { query: CALLS, commit: 'HEAD' })
      expect(outcome).toMatchObject({ ok: true, data: unread })
      expect((await ask({ diff: { from: 'second', to: 'HEAD' } })).data).toMatchObject(unread)
      expect((await ask({ diff: { from: 'HEAD', to: 'second' } })).data).toMatchObject(unread)
    } finally {
      git('rm', '-q', 'src/deep.ts')
      commit()
    }
    const whole = (await ask({ query: FUNCTIONS })).data
    expect(whole).toMatchObject({ partial: false })
    expect(whole).not.toHaveProperty('unread')
  })
})

describe('the graph of the workspace', () => {
  it('has staged changes in it', async () => {
    const transaction = await open({ transaction: 'later' })
    const written = await transaction.run('write', { path: 'src/c.ts', content: 'export function staged() {}\n' })
    expect(written.outcome.ok).toBe(true)
    const query = "MATCH (f:Function) WHERE f.path = 'src/c.ts' RETURN f.name AS name"
    const seen = await transaction.run('graph', { query })
    expect(seen.outcome).toMatchObject({ ok: true, data: { rows: [{ name: 'staged' }] } })
    expect(await rows(query)).toEqual([])
  })

  it('leaves out files that may not be read, of the workspace and of commits, and serves others from another graph', async () => {
    const query = 'MATCH (f:File) RETURN f.path AS path ORDER BY path'
    const all = [{ path: 'secret/keys.ts' }, { path: 'src/a.ts' }, { path: 'src/b.ts' }]
    expect(await rows(query, 'HEAD')).toEqual(all)
    expect(await rows(query)).toEqual(all)
    const rules = [{ action: 'read', path: 'secret/**', verdict: 'deny' }]
    const config = join(workspace.base, 'narrow.json')
    writeFileSync(config, JSON.stringify({ policy: { rules } }))
    const narrow = await open({ config })
    for (const at of [undefined, 'HEAD']) {
      const { outcome } = await narrow.run('graph', { query, ...(at !== undefined && { commit: at }) })
      expect(outcome).toMatchObject({ ok: true, data: { rows: all.slice(1) } })
    }
    expect(await rows(query, 'HEAD')).toEqual(all)
  })

  it('takes parameters, and cuts at the limit', async () => {
    const query = 'MATCH (f:Function) WHERE f.name = $name RETURN f.path AS path'
    expect((await ask({ query, params: { name: 'two' } })).data?.['rows']).toEqual([{ path: 'src/b.ts' }])
    expect((await ask({ query: FUNCTIONS, limit: 1 })).data).toMatchObject({
      rows: [{ id: 'secret/keys.ts#key' }],
      truncated: true,
    })
  })

  it.each([
    ['MATCH (f:Funktion) RETURN f', 'has no label or relation Funktion', 'Labels: File, Module, Function'],
    ['MATCH (f:Function) RETURN f.colour', 'f has no property colour', 'Nodes have id, name, path, lines'],
    ['MATCH (a)-[:CALL]->(b) RETURN a', 'has no label or relation CALL', 'Relations: DEFINES'],
    ['MATCH (f:Function) WHERE f.name = $name RETURN f.id', 'a parameter $name that is not given', '`params`'],
    ['MATCH (f:Function) RETURN f.name AS a, f.id AS a', 'two columns the name a', 'with AS'],
    ['MATCH (f:Function RETURN f', 'The query cannot be run', 'Labels: '],
  ])('%s: says what there is', async (query, message, hint) => {
    expect(await ask({ query })).toMatchObject({
      error: {
        code: 'invalid_input',
        message: expect.stringContaining(message),
        hint: expect.stringContaining(hint),
      },
    })
  })

  it('lets columns be called as they like', async () => {
    const query = "MATCH (f:Function) WHERE f.name = 'two' WITH f.name AS comment RETURN comment"
    expect(await rows(query)).toEqual([{ comment: 'two' }])
  })

  it('cannot be written, and reaches no file', async () => {
    const out = join(workspace.base, 'out.csv')
    for (const query of [
      "CREATE (:File {id: 'x'})",
      `COPY (MATCH (f:File) RETURN f.path) TO '${out}'`,
      `EXPORT DATABASE '${out}'`,
      "LOAD FROM '/etc/passwd' (file_format='csv') RETURN *",
      `ATTACH '${out}' AS other (dbtype lbug)`,
      'MATCH (f:File) SET f.path = "" RETURN f',
    ])
      expect(await ask({ query })).toMatchObject({ error: { code: 'invalid_input' } })
    expect(existsSync(out)).toBe(false)
  })

  it('ends a query that would take all memory, and answers the next', async () => {
    const query = 'UNWIND range(1, 400000000) AS x UNWIND range(1, 1000) AS y RETURN count(*)'
    expect(await ask({ query })).toMatchObject({ error: { code: expect.stringMatching(/^(quota|timeout)$/) } })
    expect((await ask({ query: FUNCTIONS })).ok).toBe(true)
  }, 60_000)
})

describe('GraphQuery', () => {
  it('SG-14: gives results for a query with parameters, at a commit', async () => {
    expect(GraphQuery.name).toBe('GraphQuery')
    const ctx = { cwd: workspace.path, env: { ...workspace.env }, permissions: ['fs:read'] }
    const query = 'MATCH (f:Function) WHERE f.name = $name RETURN f.path AS path'
    const found = await GraphQuery.execute({ query, params: { name: 'one' }, commit: 'second' }, ctx)
    expect(found).toMatchObject({ ok: true, data: { results: [{ path: 'src/a.ts' }] } })
    const now = await GraphQuery.execute({ query, params: { name: 'eins' } }, ctx)
    expect(now).toMatchObject({ ok: true, data: { results: [{ path: 'src/a.ts' }] } })
    const unknown = await GraphQuery.execute({ query, params: { name: 'one' }, commit: 'nowhere' }, ctx)
    expect(unknown).toMatchObject({ ok: false })
    const wrong = await GraphQuery.execute({ query: 'DROP TABLE File' }, ctx)
    expect(wrong).toMatchObject({ ok: false, error: { code: 'EVALIDATION' } })
  })
})

function open(options: Parameters<TemporaryWorkspace['open']>[0] = {}): Promise<Toolkit> {
  return workspace.open({ resident: 'off', permissions: ['fs:read', 'fs:write', 'fs:create'], ...options })
}

async function ask(input: object) {
  const { answer } = await kit.run('graph', input)
  return answer as { ok: boolean; data?: Record<string, unknown>; error?: object }
}

async function rows(query: string, at?: string): Promise<unknown> {
  const { data, error } = await ask({ query, ...(at !== undefined && { commit: at }) })
  return data?.['rows'] ?? error
}

function commit(): void {
  git('add', '-A')
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-q', '-m', 'change')
}

function git(...args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: workspace.path, encoding: 'utf8' }).trim()
}
