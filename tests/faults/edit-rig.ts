import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ToolError } from '../../src/kernel/error.ts'
import { dieInCommit, inWorld, recoverWhole, runCommit, type Protocol, type Report } from './crash-rig.ts'
import { faulty, unsynced } from './faulty-sys.ts'
import type { Moments } from './moments.ts'
import type { Scenario } from './scenario.ts'
import { differences, type Tree, type World } from './world.ts'

/** What another program does to a file; true if it was done. */
export interface Edit {
  readonly name: string
  /** Opens what the edit needs before the commit begins. */
  start(world: World, path: string): { do(): boolean; end(): void }
  /** Reports whether there are bytes afterwards that must not be lost. */
  readonly bytes: boolean
}

const THEIRS = 'THEIR WORK'

const plain = (name: string, bytes: boolean, work: (place: string, world: World) => boolean): Edit => ({
  name,
  bytes,
  start: (world, path) => ({
    // Git changes no file of a repository that another one has locked.
    do: () => !existsSync(join(world.root, `${path}.lock`)) && work(join(world.root, path), world),
    end() {},
  }),
})

export const edits: readonly Edit[] = [
  plain('writes in place', true, place => existsSync(place) && isDone(() => writeFileSync(place, THEIRS))),
  plain('replaces by rename', true, (place, world) => {
    if (!existsSync(place)) return false
    writeFileSync(join(world.path, 'theirs'), THEIRS)
    return isDone(() => renameSync(join(world.path, 'theirs'), place))
  }),
  plain(
    'creates',
    true,
    place =>
      !existsSync(place) && existsSync(dirname(place)) && isDone(() => writeFileSync(place, THEIRS, { flag: 'wx' })),
  ),
  plain('deletes', false, place => existsSync(place) && isDone(() => rmSync(place))),
  plain('makes a directory', false, place => existsSync(dirname(place)) && isDone(() => mkdirSync(place))),
  {
    name: 'writes through a file held open',
    bytes: true,
    start(world, path) {
      const place = join(world.root, path)
      const fd = statSync(place, { throwIfNoEntry: false })?.isFile() ? openSync(place, 'r+') : undefined
      return {
        do: () => fd !== undefined && writeSync(fd, THEIRS, 0) > 0,
        end: () => fd !== undefined && closeSync(fd),
      }
    },
  },
]

const isDone = (work: () => void): boolean => {
  try {
    work()
    return true
  } catch {
    return false
  }
}

/**
 * Puts another program's edit of one path before each call of the commit. Their bytes must be in the tree afterwards, and
 * all other paths must be entirely new where the commit answered, entirely old where it reported a conflict.
 */
export function editPoints(
  protocol: Protocol,
  scenario: Scenario,
  edit: Edit,
  path: string,
  { stride, first = 0 }: Moments,
): Report {
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = first; ; at += stride) {
      world.reset(scenario.before)
      const theirs = edit.start(world, path)
      let state: { done: boolean; sealed: boolean } | undefined
      const run = faulty(number => {
        if (number === at) state = { done: theirs.do(), sealed: run.marks.sealed }
      }, unsynced)
      let warned = false
      const error = runCommit(protocol, scenario, world, run.sys, ({ warnings }) => {
        warned = warnings.some(text => text.includes(path))
      })
      theirs.end()
      run.drop()
      if (state === undefined) return count
      if (!state.done) continue
      count++
      const where = `${path}: somebody ${edit.name} before call ${at}`
      if (error !== undefined && !isConflict(error)) fail(`${where}: threw ${String(error)}`)
      const tree = world.tree()
      // A program that still holds the old file after the commit writes into it; at the last moment, we report that.
      const late = edit.name.includes('held open') && (state.sealed || warned)
      if (edit.bytes && !late && ![...tree.values()].some(content => content.includes(THEIRS)))
        fail(`${where}: their bytes are lost${error === undefined ? ' without a word' : ''}`)
      const expected = error === undefined ? scenario.after : scenario.before
      const wrong = foreign(tree, expected, path)
      if (wrong.length > 0)
        fail(`${where}: ${error === undefined ? 'not all new' : 'not all old'}: ${wrong.join('; ')}`)
      const pending = world.stored().filter(name => name.startsWith('pending/'))
      if (pending.length > 0) fail(`${where}: left over: ${pending.join(', ')}`)
      recoverWhole(protocol, world)
      if (differences(world.tree(), tree).length > 0) fail(`${where}: a recovery changed what was settled`)
    }
  })
}

/** Dies at each call of the commit; then another program edits, and only then the workspace is opened again. */
export function editsAfterCrash(
  protocol: Protocol,
  scenario: Scenario,
  edit: Edit,
  path: string,
  { stride, first = 0 }: Moments,
): Report {
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = first; ; at += stride) {
      world.reset(scenario.before)
      if (!dieInCommit(protocol, scenario, world, at, false).dead) return count
      const theirs = edit.start(world, path)
      const done = theirs.do()
      theirs.end()
      if (!done) continue
      count++
      recoverWhole(protocol, world)
      const tree = world.tree()
      const where = `${path}: somebody ${edit.name} after a crash at ${at}`
      if (edit.bytes && ![...tree.values()].some(content => content.includes(THEIRS)))
        fail(`${where}: their bytes are lost`)
      const old = foreign(tree, scenario.before, path)
      const wrong = old.length === 0 ? old : foreign(tree, scenario.after, path)
      if (wrong.length > 0) fail(`${where}: neither old nor new: ${wrong.join('; ')}`)
    }
  })
}

/** Where the tree differs from the expected one, apart from what is theirs. */
function foreign(tree: Tree, expected: Tree, path: string): string[] {
  // Theirs: the directories that stay because of the path, a file that was moved with what they wrote, and one that
  // they deleted from a directory which was then moved.
  const carried = [...tree].flatMap(([name, content]) => (content.includes(THEIRS) ? [name] : []))
  const wentAlong = dirname(path) !== '.' && !expected.has(dirname(path))
  const inMoved = wentAlong ? [...expected.keys()].filter(name => basename(name) === basename(path)) : []
  const theirs = [...(tree.has(path) ? ancestors(path) : []), ...carried, ...inMoved]
  return differences(without(tree, path, theirs), without(expected, path, theirs))
}

const isConflict = (error: unknown): boolean => error instanceof ToolError && error.code === 'conflict'

/** All but the path that both wanted, what is below it, and what else is theirs. */
const without = (tree: Tree, path: string, theirs: readonly string[]): Tree =>
  new Map([...tree].filter(([name]) => name !== path && !name.startsWith(`${path}/`) && !theirs.includes(name)))

const ancestors = (path: string): string[] => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))
