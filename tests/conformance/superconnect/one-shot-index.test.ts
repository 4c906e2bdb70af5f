import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ownIndex, type OwnRules } from '../../../src/knowledge/index/index-source.ts'
import { openIndex } from '../../../src/knowledge/index/open-index.ts'
import type { IndexEngine, IndexStatus } from '../../../src/knowledge/index/types.ts'
import { userPlaces } from '../../../src/knowledge/tree/ignore/user-places.ts'
import { openRoot } from '../../../src/machine/workspace/root.ts'
import { createStaging } from '../../../src/machine/workspace/staging.ts'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../src/testing/temporary-workspace.ts'
import { CLI } from '../../cli-program.ts'
import { hiding, type Sight } from '../../resident/searches.ts'

const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.gitignore': 'generated/\n',
  'generated/out.ts': 'export const out = 1\n',
  'src/index.ts': "export * from './a.ts'\n",
  'src/a.ts': 'export const alpha = 1\n',
  'src/b.ts': 'export const beta = 1\n',
  'src/deep/c.ts': 'export const gamma = 1\n',
  'lib/secret.ts': 'export const hush = 1\n',
  'name with space.ts': 'export const spaced = 1\n',
  'übung.ts': 'export const umlaut = 1\n',
}

/** What one program that ends at once is told. */
async function oneShot(
  { path, base, env }: TemporaryWorkspace,
  { state = 'state', sight = {}, rules = { isBrief: true } }: { state?: string; sight?: Sight; rules?: OwnRules } = {},
) {
  const root = openRoot(path)
  const source = ownIndex(root, { path: join(base, state) }, rules, userPlaces(env))
  try {
    const { mayRead = () => true, secretFiles = 'open', hides } = sight
    const engine = openIndex({ root, source, staging: createStaging(), mayRead, secretFiles, hides })
    const all = await engine.query({ by: 'all' }, { limit: 1000 })
    const { symbols } = await engine.symbols('', { limit: 1000 })
    const { generatedAt: _, ...status } = await currentStatus(engine)
    return { all, symbols, status }
  } finally {
    await source.close()
    root.close()
  }
}

/** A file that changed a moment ago is looked at and read again after an answer. */
async function currentStatus(engine: IndexEngine): Promise<IndexStatus> {
  const status = await engine.status()
  if (status.state === 'current') return status
  await engine.query({ by: 'all' }, { limit: 1 })
  return currentStatus(engine)
}

let fresh = 0

/** The same from a new index. */
const fromNothing = (workspace: TemporaryWorkspace, sight?: Sight) =>
  oneShot(workspace, { state: `fresh${fresh++}`, rules: {}, ...(sight && { sight }) })

const keptFile = ({ base }: TemporaryWorkspace, state = 'state') => join(base, state, 'index', 'whole')

/** Files that changed a moment ago could change again without a sign, and are not vouched for. */
async function keepIndex(workspace: TemporaryWorkspace, rules: OwnRules = { isBrief: true }): Promise<void> {
  await pause(80)
  await oneShot(workspace, { rules })
}

/** Removes what an index that is opened would make anew; the returned function tells whether one was. */
function watchOpening({ base }: TemporaryWorkspace): () => boolean {
  const facts = join(base, 'state', 'index', 'facts.sqlite')
  for (const ending of ['', '-wal', '-shm']) rmSync(facts + ending, { force: true })
  return () => existsSync(facts)
}

const CHANGES: Readonly<Record<string, (at: (path: string) => string, outside: (path: string) => string) => void>> = {
  'a file is added': at => writeFileSync(at('src/new.ts'), 'export const fresh = 1\n'),
  'a file is changed': at => writeFileSync(at('src/a.ts'), 'export const alpha = 1, more = 2\n'),
  'a file is deleted': at => rmSync(at('src/b.ts'), { force: true }),
  'a file is renamed': at => existsSync(at('src/b.ts')) && renameSync(at('src/b.ts'), at('src/moved.ts')),
  'a file is replaced by one of the same size': at => {
    writeFileSync(at('src/other'), 'export const omega = 1\n')
    renameSync(at('src/other'), at('src/a.ts'))
  },
  'a file is replaced by one of the same size and time': at => {
    const { mtime } = lstatSync(at('src/deep/c.ts'))
    writeFileSync(at('src/deep/c.ts'), 'export const delta = 1\n')
    utimesSync(at('src/deep/c.ts'), mtime, mtime)
  },
  'a file becomes a link': at => {
    rmSync(at('src/b.ts'), { force: true })
    symlinkSync('a.ts', at('src/b.ts'))
  },
  'an ignored file is no longer ignored': at => writeFileSync(at('.gitignore'), '# nothing\n'),
  'a directory is ignored from now on': at => writeFileSync(at('.gitignore'), 'generated/\nsrc/deep/\n'),
  'a directory gets rules of its own': at => writeFileSync(at('src/.ignore'), 'b.ts\n'),
  'the repository gets excludes': at => {
    mkdirSync(at('.git/info'), { recursive: true })
    writeFileSync(at('.git/info/exclude'), 'name*\n')
  },
  'the user gets rules for everything': (_at, outside) => {
    mkdirSync(outside('home/.config/git'), { recursive: true })
    writeFileSync(outside('home/.config/git/ignore'), 'b.ts\n')
  },
  'a directory above gets rules': (_at, outside) => writeFileSync(outside('.ignore'), 'a.ts\n'),
  'a directory is made, with a file': at => {
    mkdirSync(at('src/fresh/deep'), { recursive: true })
    writeFileSync(at('src/fresh/deep/d.ts'), 'export const depth = 1\n')
  },
  'a directory is renamed': at => existsSync(at('src/deep')) && renameSync(at('src/deep'), at('src/deeper')),
  'nothing happens': () => {},
}

const apply = (change: keyof typeof CHANGES, { path, base }: TemporaryWorkspace): void => {
  try {
    CHANGES[change]?.(
      name => join(path, name),
      name => join(base, name),
    )
  } catch (error) {
    // An earlier change may have taken its file away.
    if (Object(error).code !== 'ENOENT') throw error
  }
}

describe('one question of a program that ends', () => {
  it('SC-05: is answered by the index that was kept, without making one anew', async () => {
    await using workspace = temporaryWorkspace(FILES)
    await keepIndex(workspace)
    const expected = await fromNothing(workspace)
    const isOpened = watchOpening(workspace)
    expect(await oneShot(workspace)).toEqual(expected)
    expect(isOpened()).toBe(false)
  })

  it.each(Object.keys(CHANGES))('SC-05: is answered as by a new index after %s', async change => {
    await using workspace = temporaryWorkspace(FILES)
    await keepIndex(workspace)
    expect(existsSync(keptFile(workspace))).toBe(true)
    apply(change, workspace)
    const expected = await fromNothing(workspace)
    expect(await oneShot(workspace)).toEqual(expected)
    expect(await oneShot(workspace)).toEqual(expected)
  })

  it('SC-05: is answered as by a new index after any changes', async () => {
    const changes = fc.array(fc.constantFrom(...Object.keys(CHANGES)), { minLength: 2, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(changes, async some => {
        await using workspace = temporaryWorkspace(FILES)
        await keepIndex(workspace)
        for (const change of some) {
          apply(change, workspace)
          expect(await oneShot(workspace)).toEqual(await fromNothing(workspace))
        }
      }),
      { numRuns: process.env['TOOLWRIGHT_LONG'] === '1' ? 100 : 3 },
    )
  })

  it('SC-05: is answered by the kept index again once a change is in it', async () => {
    await using workspace = temporaryWorkspace(FILES)
    await keepIndex(workspace)
    workspace.write('src/b.ts', 'export const changed = 1\n')
    await keepIndex(workspace)
    const isOpened = watchOpening(workspace)
    const { all } = await oneShot(workspace)
    expect(all.files.find(({ path }) => path === 'src/b.ts')?.exports).toEqual(['changed'])
    expect(isOpened()).toBe(false)
  })

  it('SC-05: names no file that it may not read, nor what others pass on of it', async () => {
    await using workspace = temporaryWorkspace({ ...FILES, 'lib/index.ts': "export * from './secret.ts'\n" })
    await keepIndex(workspace)
    const sight = hiding('**/secret.*')
    const seen = await oneShot(workspace, { sight })
    expect(seen).toEqual(await fromNothing(workspace, sight))
    expect(JSON.stringify(seen)).not.toMatch(/hush|secret/)
  })

  it('SC-05: is answered by the stored index if a file is left out that no file re-exports', async () => {
    await using workspace = temporaryWorkspace(FILES)
    await keepIndex(workspace)
    const sight = hiding('**/secret.*')
    const expected = await fromNothing(workspace, sight)
    const isOpened = watchOpening(workspace)
    expect(await oneShot(workspace, { sight })).toEqual(expected)
    expect(isOpened()).toBe(false)
  })

  it('SC-05: keeps nothing that a denied file says, and finds it where it is denied no more', async () => {
    await using workspace = temporaryWorkspace(FILES)
    await keepIndex(workspace, { isBrief: true, isDenied: path => path === 'lib/secret.ts' })
    expect(readFileSync(keptFile(workspace), 'latin1')).not.toContain('hush')
    const { all } = await oneShot(workspace)
    expect(all.files.find(({ path }) => path === 'lib/secret.ts')?.exports).toEqual(['hush'])
  })

  it.each<[string, (file: string) => void]>([
    ['cut off', file => truncateSync(file, 5000)],
    ['empty', file => truncateSync(file, 0)],
    ['lengthened', file => appendFileSync(file, 'x')],
    ['changed at its end', file => flip(file, -100)],
    ['changed at its beginning', file => flip(file, 30)],
    ['changed in the middle', file => flip(file, 4500)],
    ['a link', file => (renameSync(file, `${file}2`), symlinkSync(`${file}2`, file))],
    ['a directory', file => (rmSync(file), mkdirSync(file))],
  ])('SC-05: is answered rightly where what was kept is %s', async (_how, damage) => {
    await using workspace = temporaryWorkspace(FILES)
    await keepIndex(workspace)
    const expected = await fromNothing(workspace)
    damage(keptFile(workspace))
    expect(await oneShot(workspace)).toEqual(expected)
  })

  it('SC-06: a command answers from what an earlier one kept, and records the call', async () => {
    await using workspace = temporaryWorkspace(FILES)
    const ask = (): unknown =>
      JSON.parse(
        execFileSync(
          process.execPath,
          [CLI, 'call', 'queryIndex', '{"query":{"type":"listAll"}}', '--contract', 'superconnect', '--json'],
          { cwd: workspace.path, env: workspace.env, encoding: 'utf8' },
        ),
      )
    const before = ask()
    // The first call makes the directory of its metrics, which a second one finds as it is.
    await pause(80)
    ask()
    const [facts = ''] = globSync(join(workspace.base, 'state/workspaces/*/index/facts.sqlite'))
    for (const ending of ['', '-wal', '-shm']) rmSync(facts + ending, { force: true })
    expect(ask()).toEqual(before)
    expect(existsSync(facts)).toBe(false)
    const journal = join(dirname(dirname(facts)), 'journal', 'journal.jsonl')
    expect(readFileSync(journal, 'utf8').match(/"queryIndex"/g)?.length).toBeGreaterThanOrEqual(3)
  })
})

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = (bytes[place] ?? 0) ^ 1
  writeFileSync(file, bytes)
}
