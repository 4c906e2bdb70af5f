import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../src/testing/index.ts'
import { openToolkit, type Toolkit } from '../../src/toolkit.ts'

const FILES = 'MATCH (f:File) RETURN f.path AS found'
const FUNCTIONS = "MATCH (f:Function) WHERE f.exported RETURN DISTINCT f.path + ' ' + f.name AS found"
const IMPORTS = "MATCH (a:File)-[:IMPORTS]->(b:File) RETURN DISTINCT a.path + ' ' + b.path AS found"
const COMMITS = ['first', 'second', 'third']

const here = join(import.meta.dirname, '../..')
let workspace: TemporaryWorkspace
/** One for each repository: its process of the graph answers all questions. */
const kits = new Map<string, Promise<Toolkit>>()

/** Three commits of this project's own sources: one folder, a part of another one with it, and then some of both is gone or another. */
beforeAll(() => {
  workspace = temporaryWorkspace()
  git('init', '-q', '-b', 'main')
  take('src/kernel')
  commit('first')
  take('src/guards', ['approval', 'policy', 'secrets', 'shell'])
  commit('second')
  rmSync(join(workspace.path, 'src/guards/egress'), { recursive: true })
  const [, name = ''] = /export function (\w+)/.exec(workspace.read('src/kernel/validate.ts')) ?? []
  workspace.write('src/kernel/validate.ts', workspace.read('src/kernel/validate.ts').replaceAll(name, 'anotherName'))
  commit('third')
})

afterAll(async () => {
  for (const kit of kits.values()) await (await kit).close()
  await workspace.remove()
})

describe('SG-14: one query at three commits of a history', () => {
  it.each(COMMITS)('gives the files that git lists at the %s', async at => {
    expect(await asked(FILES, at)).toEqual(filesAt(at))
  })

  it.each(COMMITS)('gives the functions that git finds exported at the %s', async at => {
    const written = found(at, String.raw`^export (async )?function \*?`).map(
      ({ path, text }) => `${path} ${/function \*?(\w+)/.exec(text)?.[1]}`,
    )
    const constants = new Set(
      found(at, '^export const').map(({ path, text }) => `${path} ${/const (\w+)/.exec(text)?.[1]}`),
    )
    const functions = await asked(FUNCTIONS, at)
    expect(written.length).toBeGreaterThan(5)
    expect(functions.filter(each => !constants.has(each))).toEqual([...new Set(written)].toSorted())
  })

  it.each(COMMITS)('gives the imports that git finds written at the %s', async at => {
    const files = new Set(filesAt(at))
    const written = found(at, String.raw`(from|import\() ?'\.{1,2}/`).flatMap(({ path, text }) => {
      const module = /(?:from |import\()'(\.[^']+)'/.exec(text)?.[1] ?? ''
      const target = normalize(join(dirname(path), module))
      return files.has(target) ? [`${path} ${target}`] : []
    })
    expect(written.length).toBeGreaterThan(5)
    expect(await asked(IMPORTS, at)).toEqual([...new Set(written)].toSorted())
  })

  it('is about what was there, and not about what is', async () => {
    expect(await asked(FUNCTIONS, 'third')).toContain('src/kernel/validate.ts anotherName')
    expect(await asked(FUNCTIONS, 'HEAD~1')).not.toContain('src/kernel/validate.ts anotherName')
    expect(await asked(FILES, 'HEAD~2')).not.toContain('src/guards/judgement.ts')
  })
})

/** A copy without history has none of them, and a shallow one some; the oldest, with the fewest files, unless there is time. */
const OWN = ['HEAD', 'HEAD~50', 'HEAD~250', 'HEAD~750', 'HEAD~850', 'HEAD~900']
  .filter(isThere)
  .slice(process.env['TOOLWRIGHT_LONG'] === '1' ? 0 : -1)

describe('SG-14: one query at commits of this repository', () => {
  it.each(OWN)(
    'gives the files and exported functions of src/kernel that git lists at %s',
    async at => {
      await madeAt(at)
      const files = codeIn(gitIn(here, 'ls-tree', '-r', '--name-only', at, '--', 'src/kernel'))
      expect(
        await asked("MATCH (f:File) WHERE f.path STARTS WITH 'src/kernel/' RETURN f.path AS found", at, here),
      ).toEqual(files)
      const written = found(at, String.raw`^export (async )?function \*?`, ['src/kernel/*.ts'], here)
      const names = written.map(({ path, text }) => `${path} ${/function \*?(\w+)/.exec(text)?.[1]}`)
      expect(names.length).toBeGreaterThan(5)
      expect(await asked(FUNCTIONS, at, here)).toEqual(expect.arrayContaining(names))
    },
    900_000,
  )
})

/** Makes the graph of a commit of this repository: on a busy machine it takes longer than a call of the document may. */
async function madeAt(at: string): Promise<void> {
  const kit = await kitFor(here)
  const input = { query: 'MATCH (f:File) RETURN count(f) AS files', commit: at, waitMs: 600_000 }
  const { outcome } = await kit.run('graph', input, { contract: 'toolwright' })
  if (!outcome.ok) throw outcome.error
}

function isThere(name: string): boolean {
  const { status } = spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: here })
  return status === 0
}

function kitFor(cwd: string): ReturnType<typeof openToolkit> {
  const kit =
    kits.get(cwd) ??
    openToolkit({ root: cwd, env: workspace.env, contract: 'sage', permissions: ['fs:read'], effects: 'off' })
  kits.set(cwd, kit)
  return kit
}

async function asked(query: string, at: string, cwd = workspace.path): Promise<string[]> {
  const answer = Object(await (await kitFor(cwd)).call('GraphQuery', { query, commit: at }))
  if (!answer.ok) throw new Error(JSON.stringify(answer.error))
  return answer.data.results.map(({ found: each }: { found: string }) => each).toSorted()
}

const filesAt = (at: string): string[] => codeIn(git('ls-tree', '-r', '--name-only', at))

/** A graph has files of code: no page. */
const codeIn = (listed: string): string[] =>
  listed
    .split('\n')
    .filter(path => path.endsWith('.ts'))
    .toSorted()

function found(at: string, pattern: string, paths = ['*.ts'], cwd = workspace.path): { path: string; text: string }[] {
  return gitIn(cwd, 'grep', '-E', pattern, at, '--', ...paths)
    .split('\n')
    .flatMap(line => {
      const [, path, text] = /^[^:]+:([^:]+):(.*)$/.exec(line) ?? []
      return path !== undefined && text !== undefined ? [{ path, text }] : []
    })
}

function take(folder: string, without: readonly string[] = []): void {
  const filter = (from: string): boolean => !from.endsWith('.test.ts') && !without.includes(basename(from))
  cpSync(join(here, folder), join(workspace.path, folder), { recursive: true, filter })
}

function commit(tag: string): void {
  git('add', '-A')
  git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '-q', '-m', tag)
  git('tag', tag)
}

const git = (...args: string[]): string => gitIn(workspace.path, ...args)

const gitIn = (cwd: string, ...args: string[]): string => execFileSync('git', args, { cwd, encoding: 'utf8' }).trim()
