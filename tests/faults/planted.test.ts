import { describe, expect, it } from 'vitest'
import { commit } from '../../src/machine/workspace/commit/commit.ts'
import { recover } from '../../src/machine/workspace/commit/recover.ts'
import type { Sys } from '../../src/machine/workspace/sys.ts'
import { crashPoints, type Protocol, type Report } from './crash-rig.ts'
import { editPoints, edits, editsAfterCrash } from './edit-rig.ts'
import { errorThenCrash } from './error-rig.ts'
import { planted } from './planted.ts'
import { powerCuts, type Spared } from './power-rig.ts'
import { scenarios, type Scenario } from './scenario.ts'
import { directory, file } from './world.ts'

const [one, three] = scenarios
if (one === undefined || three === undefined) throw new Error('There are no scenarios')

/** Nothing but new files: no rename carries one directory's changes along with another's. */
const created: Scenario = {
  name: 'two new files',
  before: new Map(),
  after: new Map(['a', 'b'].map(path => [path, file('new')])),
  kept: 0,
  operations: () =>
    ['a', 'b'].map(path => ({ kind: 'put', path, bytes: Buffer.from('new'), mode: 0o644, base: 'absent' })),
}

/** A mode is no name in a directory, so its change may last alone. */
const modes: Scenario = {
  name: 'a new mode',
  before: new Map([['a.sh', file('run')]]),
  after: new Map([['a.sh', file('run', 0o755)]]),
  kept: 0,
  operations: identity => [{ kind: 'mode', path: 'a.sh', mode: 0o755, base: identity('a.sh') }],
}

/** Between directories that are both there: the one it goes to has no rename that the other takes part in. */
const moved: Scenario = {
  name: 'a move to another directory',
  before: new Map([
    ['from', directory()],
    ['from/a.txt', file('a')],
    ['to', directory()],
  ]),
  after: new Map([
    ['from', directory()],
    ['to', directory()],
    ['to/a.txt', file('a')],
  ]),
  kept: 0,
  operations: identity => [{ kind: 'move', from: 'from/a.txt', to: 'to/a.txt', base: identity('from/a.txt') }],
}

const named = (name: string) => {
  const edit = edits.find(candidate => candidate.name === name)
  if (edit === undefined) throw new Error(`No edit ${name}`)
  return edit
}

/** The rigs, as small as they are enough for these bugs. */
const rigs: Readonly<Record<string, (protocol: Protocol) => Report>> = {
  crash: protocol => crashPoints(protocol, three, { all: false, stride: 1 }),
  'error, then crash': protocol => errorThenCrash(protocol, three, 'EIO', 2, 2),
  'created by somebody': protocol => editPoints(protocol, one, named('creates'), 'a.txt', { stride: 1 }),
  'replaced by somebody': protocol => editPoints(protocol, one, named('replaces by rename'), 'a.txt', { stride: 1 }),
  'written by somebody in place': protocol =>
    editPoints(protocol, one, named('writes through a file held open'), 'a.txt', { stride: 1 }),
  'edited before the recovery': protocol =>
    editsAfterCrash(protocol, three, named('writes in place'), 'a.txt', { stride: 1 }),
}

const reports = new Map<string, Report>()

/** What a rig says of the sound protocol, asked once. */
function sound(rig: string): Report {
  const report = reports.get(rig) ?? rigs[rig]?.(planted.sound) ?? { count: 0, violations: [] }
  reports.set(rig, report)
  return report
}

describe('the rigs', () => {
  it.each(Object.keys(rigs))('find nothing wrong with a sound protocol: %s', name => {
    const { count, violations } = sound(name)
    // The assembled one has no last word for who writes after the last look; the real one has.
    expect(violations.filter(text => !text.includes('held open'))).toEqual([])
    expect(count).toBeGreaterThan(0)
  })

  it.each<[keyof typeof planted, string]>([
    ['appliesBeforeIntent', 'crash'],
    ['forgetsAnInterruptedCommit', 'crash'],
    ['goesBackWithoutSayingSo', 'error, then crash'],
    ['renamesOverTheTarget', 'created by somebody'],
    ['doesNotLookAtWhatItMovedAway', 'replaced by somebody'],
    ['hasNoLastLook', 'written by somebody in place'],
    ['recoversForwardOverAConflict', 'edited before the recovery'],
  ])('find a protocol that %s', (bug, rig) => {
    const found = rigs[rig]?.(planted[bug]).violations ?? []
    const before = sound(rig).violations
    expect(found.length).toBeGreaterThan(before.length)
  })

  const unwritten: Readonly<Record<string, (sys: Sys) => Sys>> = {
    'does not sync contents': sys => ({ ...sys, sync() {} }),
    'does not sync directories': sys => ({ ...sys, syncDirectory() {} }),
  }

  it.each(Object.keys(unwritten))('find a protocol that %s', bug => {
    const plant = unwritten[bug]
    const { violations } = powerCuts({ commit, recover }, three, 'nothing', 1, plant)
    expect(violations.length).toBeGreaterThan(0)
  })

  const spared = ['nothing' as const, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  const cut = (scenario: Scenario, choice: Spared, how: (sys: Sys) => Sys) =>
    powerCuts({ commit, recover }, scenario, choice, 1, how).violations
  const leavingOut = (left: number) => (sys: Sys) => {
    let number = 0
    return { ...sys, syncDirectory: (fd: number) => (number++ === left ? undefined : sys.syncDirectory(fd)) }
  }

  it('find nothing wrong with a protocol that leaves out no sync', () => {
    expect([created, modes, moved].flatMap(each => spared.flatMap(choice => cut(each, choice, sys => sys)))).toEqual([])
  })

  it.each([
    // The name of the intent has a sync of its own where a step could last without it.
    [created, 4, [0, 1, 2, 3]],
    [modes, 3, [0, 1]],
    [one, 3, [0, 1, 2]],
  ])('find a protocol that leaves out a sync of a directory in a commit of $name', (scenario, syncs, needed) => {
    const counts: number[] = []
    cut(scenario, 'nothing', sys => {
      const run = counts.push(0) - 1
      return { ...sys, syncDirectory: fd => (counts.splice(run, 1, (counts[run] ?? 0) + 1), sys.syncDirectory(fd)) }
    })
    expect(Math.max(...counts)).toBe(syncs)
    for (const left of needed) {
      const isFound = spared.some(choice => cut(scenario, choice, leavingOut(left)).length > 0)
      expect([left, isFound]).toEqual([left, true])
    }
  })
})
