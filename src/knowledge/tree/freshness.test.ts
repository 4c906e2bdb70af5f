import { spawn } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryWorkspace, type TemporaryWorkspace } from '../../testing/temporary-workspace.ts'
import { listFiles } from '../search/list-files.ts'
import { nameFromBytes } from '../../machine/workspace/name.ts'
import { openRoot, type Root } from '../../machine/workspace/root.ts'
import { openTree, type DiskTree, type TreeOptions } from './open-tree.ts'
import { stampOf } from './stamp.ts'
import type { TreeState } from './tree.ts'
import { processorMs } from '../../../tests/processor-time.ts'

const LONG = process.env['TOOLWRIGHT_LONG'] === '1'
let workspace: TemporaryWorkspace
let root: Root
let open: { close(): void }[]
beforeEach(() => {
  workspace = temporaryWorkspace({ 'a.txt': 'a', 'src/b.txt': 'b' })
  root = openRoot(workspace.path)
  open = []
})
afterEach(() => {
  for (const one of open) one.close()
  root.close()
  return workspace.remove()
})

const at = (path: string) => join(workspace.path, path)

function start(options: TreeOptions = {}, of: Root = root): DiskTree {
  const tree = openTree(of, options)
  open.push(tree)
  return tree
}

async function ready(options: TreeOptions = {}): Promise<DiskTree> {
  const tree = start(options)
  await tree.caughtUp()
  return tree
}

/** Asks until the tree says that it is current. */
async function current(tree: DiskTree, strict = false): Promise<TreeState> {
  for (;;) {
    const state = await tree.settle({ strict })
    if (state.state === 'current') return state
    await tree.caughtUp()
  }
}

/** What ripgrep and the disk say now, each file with its stamp. */
async function onDisk(directory = workspace.path): Promise<Record<string, string>> {
  const found: [string, string][] = []
  await listFiles({
    cwd: directory,
    args: [],
    timeoutMs: 60_000,
    onFile: path => found.push([path, stampOf(lstatSync(join(directory, path)))]),
  })
  return Object.fromEntries(found)
}

/** The tree in the same words; the mark of a second look is left away. */
const known = (tree: DiskTree): Record<string, string> =>
  Object.fromEntries([...tree.files().values()].map(file => [file.path, file.stamp.replace(/~.*/, '')]))

type Operation = readonly [call: string, ...args: unknown[]]

const OTHER = `
const fs = require('node:fs')
process.chdir(process.argv[1])
require('node:readline').createInterface({ input: process.stdin }).on('line', line => {
  for (const [call, ...args] of JSON.parse(line)) try { fs[call](...args) } catch {}
  fs.writeSync(1, 'done\\n')
})`

/** Another process that changes the workspace; comes back when it says that it has. */
function anotherProcess(): (operations: readonly Operation[]) => Promise<void> {
  const child = spawn(process.execPath, ['-e', OTHER, workspace.path], { stdio: ['pipe', 'pipe', 'inherit'] })
  open.push({ close: () => void child.stdin.end() })
  const waiting: (() => void)[] = []
  createInterface({ input: child.stdout }).on('line', () => waiting.shift()?.())
  return operations =>
    new Promise(resolve => {
      waiting.push(resolve)
      child.stdin.write(`${JSON.stringify(operations)}\n`)
    })
}

/** The same numbers in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('no answer is stale', () => {
  it('after a write by another process', { timeout: 120_000 }, async () => {
    const tree = await ready()
    const change = anotherProcess()
    for (let round = 0; round < (LONG ? 1_000 : 200); round++) {
      const path = `src/f${round % 7}.txt`
      const before = tree.files().get(path)?.stamp
      await change([['writeFileSync', path, String(round % 10)]])
      await current(tree)
      const { stamp } = tree.files().get(path) ?? {}
      expect(stamp).not.toBe(before)
      expect(stamp?.replace(/~.*/, '')).toBe(stampOf(lstatSync(at(path))))
    }
  })

  it('after a write of our own', { timeout: 120_000 }, async () => {
    const tree = await ready()
    for (let round = 0; round < (LONG ? 10_000 : 200); round++) {
      const before = tree.files().get('a.txt')?.stamp
      writeFileSync(at('a.txt'), String(round % 10))
      await current(tree)
      expect(tree.files().get('a.txt')?.stamp).not.toBe(before)
    }
  })

  it('where every file is looked at first, for changes within a tick of the clock too', async () => {
    const tree = await ready({ mostWatched: 0 })
    for (let round = 0; round < 100; round++) {
      const before = tree.files().get('a.txt')?.stamp
      writeFileSync(at('a.txt'), String(round % 10))
      utimesSync(at('a.txt'), 1, 1)
      expect(await tree.settle({ strict: true })).toEqual({ state: 'current', checked: 'stat' })
      expect(tree.files().get('a.txt')?.stamp).not.toBe(before)
    }
  })

  it('where the system has no watches left', async () => {
    const tree = await ready({ mostWatched: 1 })
    workspace.write('src/deep/new.txt', 'new')
    rmSync(at('src/b.txt'))
    expect(await tree.settle()).toEqual({ state: 'current', checked: 'stat' })
    expect(known(tree)).toEqual(await onDisk())
  })

  it('during a branch switch of thousands of files', { timeout: 120_000 }, async () => {
    const count = LONG ? 4_500 : 2_100
    for (let folder = 0; folder < 40; folder++) mkdirSync(at(`lib/${folder}`), { recursive: true })
    for (let file = 0; file < count; file++) writeFileSync(at(`lib/${file % 40}/${file}.ts`), 'old')
    const tree = await ready()
    for (let file = 0; file < count; file++) {
      const path = `lib/${file % 40}/${file}.ts`
      rmSync(at(path))
      if (file % 3 > 0) writeFileSync(at(path), 'new branch')
      if (file % 70 !== 0) continue
      const state = await tree.settle()
      if (state.state === 'current') expect(tree.files().get(path)?.size).toBe(file % 3 > 0 ? 10 : undefined)
      else expect(state.pending).toBeGreaterThan(0)
    }
    await current(tree)
    expect(known(tree)).toEqual(await onDisk())
  })

  it('after more events than the kernel keeps', { timeout: 120_000 }, async () => {
    const tree = await ready()
    const files = ['a.txt', 'src/b.txt'].map(path => openSync(at(path), 'a'))
    for (let round = 0; round < 12_000; round++) for (const file of files) writeSync(file, '.')
    for (const file of files) closeSync(file)
    workspace.write('x/y/dropped.txt', 'the kernel does not tell of this one')
    await current(tree)
    expect(tree.files().has('x/y/dropped.txt')).toBe(true)
    workspace.write('x/y/told.txt', '')
    await current(tree)
    expect(known(tree)).toEqual(await onDisk())
  })

  it('where there is more to look at than an answer can wait for: it says so', async () => {
    for (let folder = 0; folder < 20; folder++) workspace.write(`d${folder}/f`, '')
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 15))
    const tree = start()
    expect(await tree.settle()).toMatchObject({ state: 'behind' })
    clock.mockRestore()
    await tree.caughtUp()
    expect(await current(tree)).toEqual({ state: 'current', checked: 'watch' })
    expect(known(tree)).toEqual(await onDisk())
  })

  it('after edits during the first look', { timeout: 60_000 }, async () => {
    for (let folder = 0; folder < 50; folder++) mkdirSync(at(`d${folder}`))
    for (let file = 0; file < 1_000; file++) writeFileSync(at(`d${file % 50}/f${file}`), 'x')
    const change = anotherProcess()
    await change([])
    const tree = start()
    const changes = Array.from({ length: 200 }, (_, round): Operation[] => [
      ['writeFileSync', `d${round % 50}/f${round}`, 'edited'],
      ['renameSync', `d${round % 50}/f${round + 200}`, `d${(round + 9) % 50}/moved${round}`],
      ['rmSync', `d${round % 50}/f${round + 400}`],
      ['mkdirSync', `n${round}/m`, { recursive: true }],
      ['writeFileSync', `n${round}/m/new`, ''],
    ])
    for (const some of changes) await change(some)
    await current(tree)
    expect(known(tree)).toEqual(await onDisk())
  })

  it('in two workspaces side by side', async () => {
    await using other = temporaryWorkspace({ 'b.txt': 'b' })
    const otherRoot = openRoot(other.path)
    const [one, two] = [await ready(), start({}, otherRoot)]
    await two.caughtUp()
    workspace.write('one.txt', '')
    other.write('two.txt', '')
    await current(one)
    await current(two)
    expect(known(one)).toEqual(await onDisk())
    expect(known(two)).toEqual(await onDisk(other.path))
    one.close()
    other.write('three.txt', '')
    await current(two)
    expect([...two.files().keys()].toSorted()).toEqual(['b.txt', 'three.txt', 'two.txt'])
    two.close()
    otherRoot.close()
  })

  it('after rounds of anything at all by another process', { timeout: 600_000 }, async () => {
    const tree = await ready()
    const change = anotherProcess()
    const pick = numbers(20_261_115)
    const names = ['a', 'b', 'c.ts', 'd.log', '.e', 'src', 'lib', 'x y', 'é']
    const somewhere = () => Array.from({ length: 1 + pick(4) }, () => names[pick(names.length)]).join('/')
    const operation = (): Operation[] => {
      const path = somewhere()
      const kind = pick(12)
      if (kind < 4) {
        const slash = path.lastIndexOf('/')
        const make: Operation[] = slash < 0 ? [] : [['mkdirSync', path.slice(0, slash), { recursive: true }]]
        return [...make, ['writeFileSync', path, 'x'.repeat(pick(5))]]
      }
      if (kind < 6) return [['appendFileSync', path, '+']]
      if (kind < 9) return [['renameSync', path, somewhere()]]
      if (kind === 9) return [['rmSync', path, { recursive: true, force: true }]]
      if (kind === 10) return [['mkdirSync', path, { recursive: true }]]
      const rules = ['*.log\n', 'lib/\n', '!d.log\n', '/a\n', '.e\nb\n', ''][pick(6)]
      return [['writeFileSync', `${pick(2) === 0 ? '' : 'src/'}.${pick(2) === 0 ? 'git' : ''}ignore`, rules]]
    }
    await change([['mkdirSync', '.git']])
    for (let round = 0; round < (LONG ? 200 : 12); round++) {
      const done = change(Array.from({ length: 60 }, operation).flat())
      // Questions in the middle must not confuse it.
      while ((await Promise.race([done.then(() => 'done'), tree.settle().then(() => 'asked')])) !== 'done');
      await current(tree, round % 10 === 9)
      expect(known(tree), `round ${round}`).toEqual(await onDisk())
    }
  })
})

describe('a tree', () => {
  it('keeps names that are not UTF-8 and leaves out links, pipes and what they lead to', async () => {
    writeFileSync(Buffer.concat([Buffer.from(at('src/')), Buffer.of(0x66, 0xff)]), '')
    mkdirSync(Buffer.concat([Buffer.from(`${workspace.path}/`), Buffer.of(0xe9)]))
    symlinkSync('src', at('link'))
    symlinkSync('a.txt', at('link.txt'))
    const tree = await ready()
    const odd = `src/${nameFromBytes(Buffer.of(0x66, 0xff))}`
    expect([...tree.files().keys()].toSorted()).toEqual(['a.txt', 'src/b.txt', odd].toSorted())
    writeFileSync(Buffer.concat([Buffer.from(`${workspace.path}/`), Buffer.of(0xe9, 0x2f, 0xff)]), 'in')
    await current(tree)
    expect(tree.files().get('\udce9/\udcff')?.size).toBe(2)
  })

  it('leaves out a directory that became a link to one outside', async () => {
    mkdirSync(join(workspace.base, 'outside'))
    writeFileSync(join(workspace.base, 'outside/secret.txt'), '')
    const tree = await ready()
    renameSync(at('src'), join(workspace.base, 'moved'))
    symlinkSync('../outside', at('src'))
    await current(tree)
    expect([...tree.files().keys()]).toEqual(['a.txt'])
    rmSync(at('src'))
    renameSync(join(workspace.base, 'moved'), at('src'))
    await current(tree)
    expect(known(tree)).toEqual(await onDisk())
  })

  it('follows a directory that is removed and made again at once, whatever inode it gets', async () => {
    const tree = await ready()
    for (let round = 0; round < 20; round++) {
      rmSync(at('src'), { recursive: true })
      mkdirSync(at('src/deep'), { recursive: true })
      await current(tree)
      writeFileSync(at('src/deep/b.txt'), String(round))
      appendFileSync(at('src/b.txt'), '')
      await current(tree)
      expect(known(tree), `round ${round}`).toEqual(await onDisk())
    }
  })

  it.each([
    ['above the workspace', '../.ignore', 'a.txt\n'],
    ['in the excludes of the repository', '.git/info/exclude', 'a.txt\n'],
    ['behind a link', '../shared-rules', 'a.txt\n'],
  ])('follows rules %s', async (_, path, rules) => {
    mkdirSync(at('.git/info'), { recursive: true })
    symlinkSync('../../shared-rules', at('src/.ignore'))
    const tree = await ready()
    writeFileSync(at(path), rules.replace('a.txt', path === '../shared-rules' ? 'b.txt' : 'a.txt'))
    await current(tree)
    const hidden = path === '../shared-rules' ? 'src/b.txt' : 'a.txt'
    expect(tree.files().has(hidden)).toBe(false)
    expect(known(tree)).toEqual(await onDisk())
    rmSync(at(path))
    await current(tree)
    expect(tree.files().has(hidden)).toBe(true)
  })

  it('follows a repository that begins and ends', async () => {
    workspace.write('.gitignore', 'src\n')
    const tree = await ready()
    expect(tree.files().has('src/b.txt')).toBe(true)
    mkdirSync(at('.git'))
    await current(tree)
    expect(tree.files().has('src/b.txt')).toBe(false)
    rmSync(at('.git'), { recursive: true })
    await current(tree)
    expect(tree.files().has('src/b.txt')).toBe(true)
  })

  it('hears of a change made through another name of the file', async () => {
    linkSync(at('a.txt'), join(workspace.base, 'other-name'))
    const tree = await ready()
    writeFileSync(join(workspace.base, 'other-name'), 'longer')
    await current(tree)
    expect(tree.files().get('a.txt')?.size).toBe(6)
  })

  it('does not keep others from their turn', async () => {
    mkdirSync(at('many'))
    for (let file = 0; file < 5_000; file++) writeFileSync(at(`many/f${file}`), '')
    let longest = 0
    let last = processorMs()
    let watching = true
    const look = () => {
      longest = Math.max(longest, processorMs() - last)
      last = processorMs()
      if (watching) setImmediate(look)
    }
    look()
    const tree = await ready()
    await tree.settle({ strict: true })
    watching = false
    expect(tree.files().size).toBe(5_002)
    expect(longest).toBeLessThan(150)
  })
})
