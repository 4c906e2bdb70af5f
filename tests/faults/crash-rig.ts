import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { commit, Committed } from '../../src/machine/workspace/commit/commit.ts'
import type { recover } from '../../src/machine/workspace/commit/recover.ts'
import { Crash, crashing, unsynced, type Marks } from './faulty-sys.ts'
import type { Scenario } from './scenario.ts'
import { differences, makeWorld, type World } from './world.ts'
import type { Sys } from '../../src/machine/workspace/sys.ts'

/** What the rigs test: the real one, or one with a planted bug. */
export interface Protocol {
  readonly commit: typeof commit
  readonly recover: typeof recover
}

export interface Report {
  readonly count: number
  readonly violations: readonly string[]
}

export interface Thoroughness {
  /** Every call is a point, not only those that change the disk. */
  readonly all: boolean
  /** Every how many of them. */
  readonly stride: number
  /** The same for what comes after the first fault; default 1. */
  readonly after?: number
}

/** Dies at each call of the commit, and recovers. */
export function crashPoints(protocol: Protocol, scenario: Scenario, { all, stride }: Thoroughness): Report {
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = 0; ; at += stride) {
      world.reset(scenario.before)
      const { marks, dead } = dieInCommit(protocol, scenario, world, at, all)
      recoverWhole(protocol, world)
      judge(world, scenario, marks.decided, problem => fail(`died at ${at}: ${problem}`))
      if (!dead) return count
      count++
    }
  })
}

/** Dies at each call of the recovery from each of those deaths, and recovers again. */
export function recoveryCrashPoints(protocol: Protocol, scenario: Scenario, options: Thoroughness): Report {
  const { all, stride, after = 1 } = options
  return inWorld(scenario, (world, fail) => {
    let count = 0
    for (let at = 0; ; at += stride)
      for (let again = at % after; ; again += after) {
        world.reset(scenario.before)
        const { marks, dead } = dieInCommit(protocol, scenario, world, at, all)
        if (!dead) return count
        const died = dieInRecovery(protocol, world, again, all)
        recoverWhole(protocol, world)
        judge(world, scenario, marks.decided, problem => fail(`died at ${at}, then at ${again}: ${problem}`))
        if (!died) break
        count++
      }
  })
}

export function inWorld(
  scenario: Scenario,
  work: (world: World, fail: (problem: string) => unknown) => number,
): Report {
  const world = makeWorld(scenario.before)
  const violations: string[] = []
  try {
    return { count: work(world, problem => violations.length < 8 && violations.push(problem)), violations }
  } finally {
    world.remove()
  }
}

/** A commit on a store that exists already, with faults from its first call on; what it threw, or nothing. */
export function runCommit(
  protocol: Protocol,
  scenario: Scenario,
  world: World,
  sys: Sys,
  answered: (answer: Committed) => void = () => {},
): unknown {
  const opened = world.open(unsynced)
  try {
    opened.store.active()
    const operations = scenario.operations(world.identity)
    answered(protocol.commit(opened.root, opened.store, operations, { id: 'commit', sys, now: 1000 }))
    return undefined
  } catch (error) {
    return error
  } finally {
    opened.close()
  }
}

export function dieInCommit(
  protocol: Protocol,
  scenario: Scenario,
  world: World,
  at: number,
  all: boolean,
): { marks: Marks; dead: boolean } {
  const fault = crashing(at, all, unsynced)
  const error = runCommit(protocol, scenario, world, fault.sys)
  fault.drop()
  if (error !== undefined && !(error instanceof Crash)) throw error
  return { marks: fault.marks, dead: fault.dead }
}

export function dieInRecovery(protocol: Protocol, world: World, at: number, all: boolean): boolean {
  const fault = crashing(at, all, unsynced)
  const opened = world.open(unsynced)
  try {
    protocol.recover(opened.root, opened.store, fault.sys)
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  } finally {
    fault.drop()
    opened.close()
  }
  return fault.dead
}

export function recoverWhole(protocol: Protocol, world: World): void {
  const opened = world.open(unsynced)
  try {
    protocol.recover(opened.root, opened.store, unsynced)
  } finally {
    opened.close()
  }
}

/** Reports whether the intent of a commit stands, or it is done already, as the disk shows it. */
export function isDecided(world: World): boolean {
  const store = join(world.state, 'commits')
  return ['pending', 'undo'].some(part =>
    readdirSync(join(store, part)).some(name =>
      ['intent', 'done'].some(mark => existsSync(join(store, part, name, mark))),
    ),
  )
}

/** The tree is entirely as it should be, and nothing is left in the store but what undo needs. */
export function judge(world: World, scenario: Scenario, isNew: boolean, fail: (problem: string) => void): void {
  const wrong = differences(world.tree(), isNew ? scenario.after : scenario.before)
  if (wrong.length > 0) fail(`not entirely ${isNew ? 'new' : 'old'}: ${wrong.join('; ')}`)
  const left = world.stored().filter(path => !/^(pending|undo|tally|tally\.new)$/.test(path))
  const pending = left.filter(path => path.startsWith('pending/'))
  if (pending.length > 0) fail(`left over: ${pending.join(', ')}`)
  // A directory, its record, and the old contents.
  const kept = isNew ? scenario.kept + 2 : 0
  if (left.length - pending.length !== kept)
    fail(`${left.length} things in the store instead of ${kept}: ${left.join(', ')}`)
}
