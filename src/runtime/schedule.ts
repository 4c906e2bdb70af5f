import type { Claim } from '../kernel/claim.ts'

/** Lets calls run side by side where their claims do not touch, and one after another where they do. */
export interface Schedule {
  run<T>(claims: readonly Claim[], work: () => Promise<T>): Promise<T>
}

interface Slot {
  readonly claims: readonly Claim[]
  readonly done: Promise<unknown>
}

export function createSchedule(): Schedule {
  const slots = new Set<Slot>()
  return {
    async run(claims, work) {
      if (claims.length === 0) return work()
      const before = [...slots].filter(slot => collide(slot.claims, claims)).map(slot => slot.done)
      const job = before.length === 0 ? work() : Promise.allSettled(before).then(work)
      const slot: Slot = { claims, done: job }
      slots.add(slot)
      try {
        return await job
      } finally {
        slots.delete(slot)
      }
    },
  }
}

/** Two calls collide where one changes what the other touches; a command may touch anything. */
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
