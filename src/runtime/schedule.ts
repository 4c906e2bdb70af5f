import type { Claim } from '../kernel/claim.ts'
import { collide } from './collide.ts'

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
