import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { besideScan, startBuilt, type BesideScan } from './beside-scan.ts'
import { useWorlds } from './rig.ts'

const COUNT = process.env['TOOLWRIGHT_LONG'] === '1' ? 4_500 : 600
const SWITCHES = 6
const GREP = { patterns: ['of the old branch', 'of the new branch'], maxResults: 10 * COUNT, timeoutMs: 60_000 }

const worlds = useWorlds(afterAll)
let beside: BesideScan

const pathOf = (file: number): string => `lib/${file % 30}/${file}.ts`
const PATHS = Array.from({ length: COUNT }, (_, file) => pathOf(file))

/** Of every file whether a branch has it: a third only one of them. */
const has = (branch: Branch, file: number): boolean => file % 3 === 0 || (file % 3 === 1) === (branch === 'old')
type Branch = 'old' | 'new'

const git = (...args: readonly string[]) => [
  '-c',
  'user.name=a',
  '-c',
  'user.email=a@example.com',
  '-c',
  'gc.auto=0',
  ...args,
]

function fill(directory: string, branch: Branch): void {
  for (const [file, path] of PATHS.entries()) {
    if (has(branch, file)) writeFileSync(join(directory, path), `const file${file} = 'of the ${branch} branch'\n`)
    else rmSync(join(directory, path), { force: true })
  }
}

beforeAll(async () => {
  const world = worlds.make({ '.gitignore': '*.log\n' })
  const { path: cwd, env } = world.workspace
  const run = (...args: readonly string[]) => execFileSync('git', git(...args), { cwd, env, stdio: 'pipe' })
  for (let folder = 0; folder < 30; folder++) mkdirSync(join(cwd, `lib/${folder}`), { recursive: true })
  run('init', '-q', '-b', 'old')
  for (const branch of ['old', 'new'] as const) {
    if (branch === 'new') run('checkout', '-q', '-b', 'new')
    fill(cwd, branch)
    run('add', '-A')
    run('commit', '-q', '-m', branch)
  }
  beside = besideScan(world)
  await startBuilt(world)
}, 300_000)
afterAll(() => beside.close())

/** How far a file is on its way from one branch to the other; it never goes back. */
function stepOf(file: number, from: Branch, content: Branch | undefined): number {
  if (content === from) return 0
  if (content === undefined) return has(from, file) ? 1 : 0
  return 2
}

function steps(from: Branch, contentOf: (path: string) => Branch | undefined): number[] {
  return PATHS.map((path, file) => stepOf(file, from, contentOf(path)))
}

function onDisk(path: string): Branch | undefined {
  try {
    return branchOf(readFileSync(join(beside.world.workspace.path, path), 'utf8'))
  } catch {
    return undefined
  }
}

const branchOf = (text: string): Branch | undefined => /of the (old|new) branch/.exec(text)?.[1] as Branch | undefined

describe('a branch switch', () => {
  it('is never behind the moment of the question in any answer, and none fails', { timeout: 600_000 }, async () => {
    const { path: cwd, env } = beside.world.workspace
    let [answers, mixed] = [0, 0]
    // A question that falls into the middle of a switch is a matter of luck: it goes on until there was one.
    for (let turn = 0; turn < SWITCHES || (mixed === 0 && turn < 100); turn++) {
      const [from, to]: [Branch, Branch] = turn % 2 === 0 ? ['new', 'old'] : ['old', 'new']
      const going = { isOver: false }
      const switched = promisify(execFile)('git', git('checkout', '-q', to), { cwd, env }).finally(
        () => (going.isOver = true),
      )
      do {
        const before = steps(from, onDisk)
        const { matches, total, timedOut } = await beside.search.grep(GREP)
        const after = steps(from, onDisk)
        const found = new Map(matches.map(({ path, text }) => [path, branchOf(text)]))
        const seen = steps(from, path => found.get(path))
        expect([total, timedOut]).toEqual([matches.length, false])
        const wrong = PATHS.filter(
          (_, file) => (seen[file] ?? 0) < (before[file] ?? 0) || (seen[file] ?? 0) > (after[file] ?? 0),
        )
        expect([turn, answers, wrong]).toEqual([turn, answers, []])
        answers++
        if (new Set(before).size > 1) mixed++
      } while (!going.isOver)
      await switched
      await beside.grepSame(GREP)
      await beside.findSame()
    }
    expect(mixed).toBeGreaterThan(0)
    // In the end it has caught up, and answers by itself again.
    while ((await beside.grepSame(GREP)).source !== 'index');
    expect(await beside.findSame()).toEqual({ source: 'index', checked: 'watch' })
  })
})
