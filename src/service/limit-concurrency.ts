import type { ToolError } from '../kernel/error.ts'
import { within, type Deadline } from '../knowledge/code/servers/deadline.ts'

/** Limits concurrent work and queues the rest in order. No caller waits past its deadline. */
export function limitConcurrency(
  most: number,
  late: (deadline: Deadline) => ToolError,
): <T>(deadline: Deadline, work: () => Promise<T>) => Promise<T> {
  let active = 0
  const waiting: (() => void)[] = []
  return async (deadline, work) => {
    if (active >= most) await turn(deadline)
    else active++
    try {
      return await work()
    } finally {
      leave()
    }
  }

  async function turn(deadline: Deadline): Promise<void> {
    const mine = Promise.withResolvers<void>()
    waiting.push(mine.resolve)
    try {
      await within(deadline, mine.promise, () => late(deadline))
    } catch (error) {
      const at = waiting.indexOf(mine.resolve)
      // Its turn came at the same moment.
      if (at < 0) leave()
      else waiting.splice(at, 1)
      throw error
    }
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else active--
  }
}
