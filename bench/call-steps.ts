import { Session, type Profiler } from 'node:inspector/promises'

/** Where the time of a call goes, in the order of the steps. */
export const STEPS = [
  'protocol',
  'pipeline',
  'validation',
  'claims',
  'policy',
  'own work',
  'resident',
  'waiting',
  'commit',
  'answer check',
  'redaction',
  'record',
  'collector',
  'node',
] as const

type Step = (typeof STEPS)[number]

/** A part of the sources whose frames name a step, wherever the frames below them are. */
const MARKED: readonly (readonly [RegExp, Step])[] = [
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

/** Profiles work that makes this many calls; returns the microseconds of one call by its steps. */
export async function profiledSteps(calls: number, work: () => Promise<void>): Promise<Readonly<Record<Step, number>>> {
  const session = new Session()
  session.connect()
  try {
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 50 })
    await session.post('Profiler.start')
    await work()
    const { profile } = await session.post('Profiler.stop')
    return perCall(profile, calls)
  } finally {
    session.disconnect()
  }
}

function perCall({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile, calls: number): Record<Step, number> {
  const steps = stepsOf(nodes)
  const taken = Object.fromEntries(STEPS.map(step => [step, 0])) as Record<Step, number>
  for (const [at, id] of samples.entries()) {
    const step = steps.get(id)
    // The bench's own client is no part of a call.
    if (step !== undefined) taken[step] += (timeDeltas[at] ?? 0) / calls
  }
  return taken
}

/** The step of each node of a profile, by its frames from the innermost outwards. */
function stepsOf(nodes: readonly Profiler.ProfileNode[]): ReadonlyMap<number, Step> {
  const byId = new Map(nodes.map(node => [node.id, node]))
  const callers = new Map(nodes.flatMap(({ id, children = [] }) => children.map(child => [child, id] as const)))
  const steps = new Map<number, Step>()
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
): Step | undefined {
  const name = byId.get(leaf)?.callFrame.functionName
  if (name === '(idle)') return 'waiting'
  if (name === '(garbage collector)') return 'collector'
  let inner: Step | undefined
  for (let at: number | undefined = leaf; at !== undefined; at = callers.get(at)) {
    const url = byId.get(at)?.callFrame.url ?? ''
    const marked = MARKED.find(([place]) => place.test(url))
    if (marked) return marked[1]
    if (PIPELINE.test(url)) return inner ?? 'pipeline'
    if (PROTOCOL.test(url)) return inner ?? 'protocol'
    if (BENCH.test(url)) return inner
    if (WORKING.test(url)) inner ??= 'own work'
  }
  return inner ?? 'node'
}
