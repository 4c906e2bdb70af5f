// oxlint-disable vitest/no-standalone-expect -- `it` is the one that `needs` gives, which the rule does not see
import { execFileSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { needs } from '../needs.ts'
import { hashTree } from '../security/build-fixture.ts'
import type { EscapeOrder, EscapeRound } from './escape-child.ts'
import { maskedProc, playing } from './played.ts'
import {
  isLong,
  limits,
  openWorld,
  processesWith,
  worldNames,
  type Played,
  type World,
  type WorldName,
} from './world.ts'

const it = needs('bubblewrap', 'git')

const CANARY = 'OUTSIDE-CANARY'
const MASKED = playing(maskedProc)

/** Each attacks the first process of its namespace, or tries to survive its end. */
const WAYS = [
  'attach',
  'theft',
  'deathsig',
  'seize',
  'names',
  'memory',
  'thread',
  'vector',
  'signals',
  'traced',
  'parent',
  'subreaper',
  'undumpable',
  'silent',
  'holding',
  'stopped',
  'ignoring',
] as const

/** With a masked /proc the first process can be traced: what it holds and does must still be nothing of ours. */
const machines: readonly (readonly [string, WorldName, Played])[] = [
  ...worldNames.map(name => [name, name, {}] as const),
  ...worldNames.slice(0, 1).flatMap(name => (name === 'user' ? [] : [[`${name}, masked`, name, MASKED] as const])),
]

/** So few that all machines together try every way. */
const ROUNDS = isLong ? 500 : Math.ceil(WAYS.length / machines.length)

describe.each(machines)('a command that attacks what ends it (%s)', (label, name, played) => {
  let world: World
  let outside: string
  let rig: Rig

  beforeAll(() => {
    world = openWorld(name, 'escape-child.ts')
    outside = join(world.base, 'outside')
    mkdirSync(outside)
    world.owns(outside)
    for (let at = 0; at < 10; at++) {
      writeFileSync(join(outside, `f${at}`), `${CANARY}\n`)
      world.owns(join(outside, `f${at}`))
    }
    world.write('.gitignore', 'dist\n')
    execFileSync('git', ['init', '-q', world.root])
    if (name !== 'root-on-root' && process.getuid?.() === 0)
      execFileSync('chown', ['-R', '1000:1000', join(world.root, '.git')])
    rig = startRig(world.start({ ...order(), ways: [] }, played))
  })
  afterAll(async () => {
    await rig.close()
    await world.close()
  })

  const order = (): Omit<EscapeOrder, 'ways'> => ({
    options: { root: world.root, scratch: world.home },
    limits,
    outside,
    canary: CANARY,
    protocol: 'when it has ended',
    kind: 'overlay',
  })
  const attacked = (more: Pick<EscapeOrder, 'ways'> & Partial<EscapeOrder>) => rig.attacked({ ...order(), ...more })
  // Each machine begins where the one before ends, so that few rounds try every way somewhere.
  const begin = machines.findIndex(([other]) => other === label) * ROUNDS
  const ways = Array.from({ length: ROUNDS }, (_, at) => WAYS[(begin + at) % WAYS.length] ?? '')

  it(`leaves nothing alive, gets nothing from outside and changes nothing there, in ${ROUNDS} rounds`, async () => {
    const before = hashTree(outside)
    const rounds = await attacked({ ways })
    expect(rounds.map(({ way }) => way)).toEqual(ways)
    expect(violations(rounds)).toEqual([])
    expect(hashTree(outside)).toBe(before)
    // What the commands wrote themselves did land: the layers were read.
    expect(rounds.filter(({ landed }) => landed.length > 15).length).toBeGreaterThan(rounds.length / 4)
    // The attacks were carried out: each said what came of it.
    for (const { way, printed } of rounds) if (way !== 'traced') expect(printed).toContain(`${way}: `)
  })

  // The terminal comes from a package, which the copy for another user does not have.
  const hasTerminal = name !== 'user' || process.getuid?.() !== 0
  const kinds = ['direct', 'read-only', ...(hasTerminal ? (['terminal'] as const) : [])] as const

  it.each(kinds)('leaves nothing alive on a tree that is %s', async kind => {
    const before = hashTree(outside)
    const rounds = await attacked({ kind, ways: ['attach', 'silent'] })
    expect(rounds).toHaveLength(2)
    expect(violations(rounds)).toEqual([])
    expect(hashTree(outside)).toBe(before)
  })

  it('outlives our death by kill -9 in no case longer than to the next start', async () => {
    const stays = `mark${Math.random().toString(36).slice(2)}`
    const child = world.start({ ...order(), kind: 'direct', ways: ['deathsig'], stays }, played)
    await once(createInterface({ input: child.stdout ?? Readable.from([]) }), 'line')
    expect(processesWith(stays).length).toBeGreaterThan(2)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = startRig(world.start({ ...order(), ways: ['silent'] }, played))
    await next.close()
    expect(processesWith(stays)).toEqual([])
  })

  it('is found out by the rig where what it left is read before the namespace is empty', async () => {
    const found = async () =>
      violations(await attacked({ protocol: 'before the namespace is empty', ways: ['attach'] })).length
    // On a busy machine the attack may come too late, and the bug does no harm.
    await expect.poll(found).toBe(1)
  })
})

const violations = (rounds: readonly EscapeRound[]) => rounds.filter(one => one.violations.length > 0)

interface Rig {
  attacked(order: EscapeOrder): Promise<EscapeRound[]>
  close(): Promise<void>
}

/** One process that runs the commands, as the user of the world. */
function startRig(child: ChildProcess): Rig {
  const lines = createInterface({ input: child.stdout ?? Readable.from([]) })[Symbol.asyncIterator]()
  const answered = async (): Promise<EscapeRound[]> => {
    const rounds: EscapeRound[] = []
    for (let line = await lines.next(); line.value !== 'over'; line = await lines.next()) {
      if (line.done) throw new Error('The process ended')
      rounds.push(JSON.parse(line.value))
    }
    return rounds
  }
  const first = answered()
  return {
    async attacked(order) {
      await first
      child.stdin?.write(`${JSON.stringify(order)}\n`)
      return answered()
    },
    async close() {
      await first
      child.stdin?.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
