import { Session, type Profiler } from 'node:inspector/promises'
import { ENCODING, namedEncoding } from './named-encoding.ts'
import type { Wait } from './resident-waits.ts'

/** Where the time of a call goes, in the order of the steps. */
export const STEPS = [
  'protocol',
  'pipeline',
  'validation',
  'claims',
  'policy',
  'own work',
  'resident',
  'waiting for it',
  'other waiting',
  'commit',
  'answer check',
  'redaction',
  'serialization',
  'record',
  'collector',
  'node',
] as const

type Step = (typeof STEPS)[number]
/** Waiting is told apart by the clock, not by frames. */
type FrameStep = Exclude<Step, 'waiting for it' | 'other waiting'> | 'waiting'

/** A part of the sources whose frames name a step, wherever the frames below them are. */
const MARKED: readonly (readonly [RegExp, FrameStep])[] = [
  [/\/src\/guards\/secrets\/|\/src\/runtime\/redact-outcome\.ts$/, 'redaction'],
  [/\/src\/kernel\/validate\.ts$/, 'validation'],
  [/\/src\/runtime\/limit-result\.ts$/, 'answer check'],
  [/\/src\/machine\/workspace\/canonical-claims\.ts$/, 'claims'],
  [/\/src\/guards\//, 'policy'],
  [/\/src\/machine\/journal\/|\/src\/runtime\/(write-)?record\.ts$/, 'record'],
  [/\/src\/machine\/workspace\/(commit\/|land\.ts$)/, 'commit'],
  [/\/src\/knowledge\/resident\//, 'resident'],
]

/** The other parts of the sources; a marked frame above them counts more. */
const WORKING = /\/src\/(machine|knowledge|engines|contracts)\//
/** Everything that is called from here has its own step or is none. */
const PIPELINE = /\/src\/(runtime\/|toolkit\.ts$|session-machine\.ts$)/
const PROTOCOL = /\/src\/surfaces\/|\/@modelcontextprotocol\//
const BENCH = /\/bench\//
/** Where these encode JSON, it is that of the answer. */
const ANSWERING: ReadonlySet<FrameStep> = new Set(['redaction', 'answer check'])

/** Profiles work that makes this many calls; returns the microseconds of one call by its steps. */
export async function profiledSteps(
  calls: number,
  waits: readonly Wait[],
  work: () => Promise<void>,
): Promise<Readonly<Record<Step, number>>> {
  using _ = namedEncoding()
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 50 })
    await session.post('Profiler.start')
    await work()
    const { profile } = await session.post('Profiler.stop')
    return perCall(profile, calls, waits)
  } finally {
    session.disconnect()
  }
}

function perCall(
  { nodes, samples = [], timeDeltas = [], startTime }: Profiler.Profile,
  calls: number,
  waits: readonly Wait[],
): Record<Step, number> {
  const steps = stepsOf(nodes)
  const taken = Object.fromEntries(STEPS.map(step => [step, 0])) as Record<Step, number>
  const forResident = overlaps(waits)
  let time = startTime
  for (const [at, id] of samples.entries()) {
    const step = steps.get(id)
    const took = timeDeltas[at] ?? 0
    const from = time
    time += took
    // The bench's own client is no part of a call.
    if (step === undefined) continue
    if (step !== 'waiting') taken[step] += took / calls
    else {
      const awaited = forResident(from, time)
      taken['waiting for it'] += awaited / calls
      taken['other waiting'] += (took - awaited) / calls
    }
  }
  return taken
}

/** Returns how much of a stretch of time lies in any of these; both are asked for in order. */
function overlaps(waits: readonly Wait[]): (from: number, to: number) => number {
  let next = 0
  return (from, to) => {
    let sum = 0
    for (; next < waits.length; next++) {
      const wait = waits[next]
      if (!wait || wait.from >= to) break
      sum += Math.max(0, Math.min(wait.to, to) - Math.max(wait.from, from))
      if (wait.to > to) break
    }
    return sum
  }
}

/** The step of each node of a profile, by its frames from the innermost outwards. */
function stepsOf(nodes: readonly Profiler.ProfileNode[]): ReadonlyMap<number, FrameStep> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)))
  const steps = new Map<number, FrameStep>()
  for (const { id } of nodes) {
    const step = stepOf(id, byId, callers)
    if (step !== undefined) steps.set(id, step)
  }
  return steps
}

function stepOf(
  leaf: number,
  byId: ReadonlyMap<number, Profiler.ProfileNode>,
  callers: ReadonlyMap<number, number>,
): FrameStep | undefined {
  const name = byId.get(leaf)?.callFrame.functionName
  if (name === '(idle)') return 'waiting'
  if (name === '(garbage collector)') return 'collector'
  let inner: FrameStep | undefined
  let isEncoding = false
  for (let at: number | undefined = leaf; at !== undefined; at = callers.get(at)) {
    const { url = '', functionName } = byId.get(at)?.callFrame ?? {}
    if (functionName === ENCODING.functionName && url === ENCODING.url) {
      isEncoding = true
      continue
    }
    const [, marked] = MARKED.find(([place]) => place.test(url)) ?? []
    if (marked) return isEncoding && ANSWERING.has(marked) ? 'serialization' : marked
    if (PIPELINE.test(url)) return inner ?? (isEncoding ? 'serialization' : 'pipeline')
    if (PROTOCOL.test(url)) return inner ?? (isEncoding ? 'serialization' : 'protocol')
    if (BENCH.test(url)) return inner
    if (WORKING.test(url)) inner ??= 'own work'
  }
  return inner ?? 'node'
}
