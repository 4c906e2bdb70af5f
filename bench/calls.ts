import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Bench, Row } from './bench.ts'
import { callGoals } from './call-goals.ts'
import { profiledSteps, STEPS } from './call-steps.ts'
import { callWorld, type CallWorld } from './call-world.ts'
import { residentWaits, type Wait } from './resident-waits.ts'
import { median, quantile } from './sample.ts'

const CALLS = 400
const WARM_UP = 200

/** One thing that a client asks for, and whether what comes back is right. */
interface Asked {
  readonly what: string
  readonly calls: number
  readonly input: () => readonly [string, object]
  readonly isRight: (text: string) => boolean
}

/** Where the time of a call goes, and what calls cost beside what they do on the machine. */
export const calls: Bench = {
  about: 'where the time of a call goes, step by step; reads, edits, finds and queryIndex beside the bare work',
  async run() {
    const rows: Row[] = []
    using resident = residentWaits()
    await using world = await callWorld()
    for (const asked of questions(world)) rows.push(await steps(world, asked, resident.waits))
    const { rows: besides, goals } = await callGoals()
    return {
      rows: [...rows, ...besides],
      goals,
      notes: [
        `steps: µs of one call on average, of a profile (50 µs) of ${CALLS} calls after ${WARM_UP}, client and server in this process, over MCP`,
        'p50 and p95 µs: the same calls without the profile, from the request to the answer',
        'protocol: reading and writing messages and the text for a model; serialization: encoding the answer as JSON, wherever that happens',
        'resident: asking the process of the workspace; waiting for it: idle from the question until the last data of its answer; other waiting: idle for a command or a sync',
        'own work: of the tool itself; node: streams, timers and what has no frame of ours',
      ],
    }
  },
}

async function steps(
  { call }: CallWorld,
  { what, calls: count, input, isRight }: Asked,
  waits: readonly Wait[],
): Promise<Row> {
  const ask = async (): Promise<number> => {
    const [name, given] = input()
    const start = performance.now()
    const { text, isError } = await call(name, given)
    const took = performance.now() - start
    if (isError || !isRight(text)) throw new Error(`${what}: answered ${text.slice(0, 500)}`)
    return took * 1000
  }
  for (let done = 0; done < count / 2; done++) await ask()
  const taken = new Float64Array(count)
  for (const at of taken.keys()) taken[at] = await ask()
  const profile = await profiledSteps(count, waits, async () => {
    for (let done = 0; done < count; done++) await ask()
  })
  return {
    what,
    cells: {
      'p50 µs': median(taken),
      'p95 µs': quantile(taken, 0.95),
      ...Object.fromEntries(STEPS.map(step => [step, Math.round(profile[step])])),
    },
  }
}

function questions({ root }: CallWorld): readonly Asked[] {
  const noted = () => readFileSync(join(root, 'notes.txt'), 'utf8')
  const note = noted()
  const names = (folder: string) => readdirSync(join(root, folder)).toSorted()
  let isAfter = false
  const turned = (): readonly [string, object] => {
    isAfter = !isAfter
    const [old, next] = isAfter ? ['state: before', 'state: after'] : ['state: after', 'state: before']
    return ['edit', { path: 'notes.txt', edits: [{ old, new: next }] }]
  }
  return [
    {
      what: 'read of 1 kB',
      calls: CALLS,
      input: () => ['read', { path: 'notes.txt' }],
      isRight: text => text.replaceAll(/^\d+\t/gm, '').includes(note.trimEnd()),
    },
    {
      what: 'edit of 1 kB',
      calls: CALLS / 4,
      input: turned,
      isRight: () => noted() === note.replace('state: before', isAfter ? 'state: after' : 'state: before'),
    },
    {
      what: 'grep, one line',
      calls: CALLS,
      input: () => ['grep', { pattern: 'Makes something larger' }],
      isRight: text =>
        text.startsWith('grep (1 match,') && text.endsWith('\nsrc/base.ts\n6: /** Makes something larger. */'),
    },
    {
      what: 'find, one file',
      calls: CALLS,
      input: () => ['find', { glob: '**/base.ts' }],
      isRight: text => text === 'find (1 file)\nsrc/base.ts',
    },
    {
      what: 'list of 300 files',
      calls: CALLS / 2,
      input: () => ['list', { path: 'src' }],
      isRight: text => isDeepStrictEqual(listedNames(text), names('src')),
    },
    {
      what: 'index by export',
      calls: CALLS,
      input: () => ['index', { by: 'exports', value: 'scale' }],
      isRight: text => /^index \(1 file,[^]*\nsrc\/base\.ts\tSize, scale\t/.test(text),
    },
    {
      what: 'run of true',
      calls: CALLS / 8,
      input: () => ['run', { command: 'true' }],
      isRight: text => text === 'exit code 0',
    },
  ]
}

const listedNames = (text: string): readonly string[] => (text.match(/[\w.]+\.ts\b/g) ?? []).toSorted()
