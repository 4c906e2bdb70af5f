import type { Claim } from '../kernel/claim.ts'
import { once } from '../kernel/once.ts'
import type { Landings, Turn } from './landings.ts'

/** Runs calls side by side if their claims do not overlap, and one after another if they do. */
export interface Schedule {
  run<T>(claims: readonly Claim[], work: (turn: Turn) => Promise<T>, concurrency?: Concurrency): Promise<T>
  /**
   * Waits until no one is being asked about what these claims touch. Others then wait until the returned function is
   * called, so each question shows the result of the one before.
   */
  ask(claims: readonly Claim[], signal: AbortSignal | undefined): Promise<() => void>
}

/**
 * How a call runs beside others. `reading` commands change nothing, and changes of `merging` commands are merged when
 * they land. A `yielding` call waits for earlier changes and lets later ones start. The rest run `alone`.
 */
export type Concurrency = 'alone' | 'merging' | 'reading' | 'yielding'

/** The most commands that run at the same time: each is a process, and often many. */
const MOST_COMMANDS = 8

export function createSchedule(): Schedule {
  const [running, questions] = [createQueue(), createQueue()]
  const landings = once(async () => (await import('./landings.ts')).createLandings())
  let free = MOST_COMMANDS
  const waiting: (() => void)[] = []
  const seat = async (): Promise<void> => {
    if (free > 0) free--
    else await new Promise<void>(resolve => waiting.push(resolve))
  }
  const unseat = (): void => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return {
    async run(claims, work, concurrency = 'alone') {
      if (claims.length === 0) return work(ALONE)
      const place = running.enter({ claims: concurrency === 'reading' ? claims.map(asReading) : claims, concurrency })
      try {
        if (place.before) await place.before
        if (concurrency === 'alone' || concurrency === 'yielding') return await work(ALONE)
        await seat()
        try {
          return await (concurrency === 'merging' ? merging(await landings(), work) : work(ALONE))
        } finally {
          unseat()
        }
      } finally {
        place.leave()
      }
    },
    async ask(claims, signal) {
      const place = questions.enter({ claims: claims.filter(isPath), concurrency: 'alone' })
      // A cancelled call continues at once, without a question.
      if (place.before) await (await import('./or-aborted.ts')).orAborted(place.before, signal)
      return place.leave
    },
  }
}

const ALONE: Turn = { land: async () => false }

async function merging<T>(landings: Landings, work: (turn: Turn) => Promise<T>): Promise<T> {
  const turn = landings.begin()
  try {
    return await work(turn)
  } finally {
    turn.end()
  }
}

interface Wanted {
  readonly claims: readonly Claim[]
  readonly concurrency: Concurrency
}

interface Place {
  /** Undefined if no call is before it. */
  readonly before: Promise<unknown> | undefined
  leave(): void
}

/** Queues calls: a new one comes after those inside that touch the same. */
function createQueue(): { enter(wanted: Wanted): Place } {
  const slots = new Set<Wanted & { readonly done: Promise<void> }>()
  return {
    enter(wanted) {
      const before = [...slots].filter(slot => excludes(slot, wanted)).map(slot => slot.done)
      const { promise: completion, resolve } = Promise.withResolvers<void>()
      const slot = { ...wanted, done: completion }
      slots.add(slot)
      return {
        before: before.length === 0 ? undefined : Promise.all(before),
        leave() {
          slots.delete(slot)
          resolve()
        },
      }
    },
  }
}

const excludes = (first: Wanted, second: Wanted): boolean =>
  first.concurrency !== 'yielding' &&
  (!isCommands(first) || !isCommands(second)) &&
  collide(first.claims, second.claims)

const isCommands = ({ concurrency }: Wanted): boolean => concurrency === 'merging' || concurrency === 'reading'

/** A command that changes nothing may read anything. */
const asReading = (claim: Claim): Claim => (claim.action === 'exec' ? { action: 'read', resource: '**' } : claim)

/** Reports whether one call changes what the other touches. A command may touch anything. */
export function collide(first: readonly Claim[], second: readonly Claim[]): boolean {
  return first.some(a => second.some(b => (changes(a) || changes(b)) && meet(a, b)))
}

const changes = ({ action }: Claim) => action === 'write' || action === 'create' || action === 'exec'
const isPath = ({ action }: Claim) => action === 'read' || action === 'write' || action === 'create'

function meet(a: Claim, b: Claim): boolean {
  if (a.action === 'exec') return b.action === 'exec' || isPath(b)
  if (b.action === 'exec') return isPath(a)
  return isPath(a) && isPath(b) && (covers(a.resource, b.resource) || covers(b.resource, a.resource))
}

function covers(resource: string, path: string): boolean {
  if (resource === path || resource === '**') return true
  return resource.endsWith('/**') && (path + '/').startsWith(resource.slice(0, -2))
}
