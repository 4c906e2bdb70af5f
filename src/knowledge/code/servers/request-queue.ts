import { within, type Deadline } from './deadline.ts'
import type { ToolError } from '../../../kernel/error.ts'

/** Runs questions about the same workspace state in parallel, and those about another state after them. */
export interface RequestQueue {
  /** Reports whether a foreground question waits for its turn. */
  isAwaited(): boolean
  run<T>(key: string, deadline: Deadline, late: () => ToolError, work: () => Promise<T>): Promise<T>
}

export function createRequestQueue(): RequestQueue {
  let current: string | undefined
  let active = 0
  /** Background questions come last. */
  const queue: { readonly key: string; readonly isBackground: boolean; readonly begin: () => void }[] = []
  const isAwaited = () => queue.some(({ isBackground }) => !isBackground)
  const isFree = (key: string, isBackground: boolean) =>
    active === 0 || (key === current && (isBackground ? queue.length === 0 : !isAwaited()))
  const take = (key: string) => {
    current = key
    active++
  }
  const release = () => {
    if (--active > 0) return
    const first = queue[0]
    if (!first) return
    while (queue[0]?.key === first.key) {
      take(first.key)
      queue.shift()?.begin()
    }
  }
  return {
    isAwaited,
    async run(key, deadline, late, work) {
      if (isFree(key, deadline.isBackground ?? false)) take(key)
      else await waitForTurn(key, deadline, late)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }

  async function waitForTurn(key: string, deadline: Deadline, late: () => ToolError): Promise<void> {
    let hasBegun = false
    const { isBackground = false } = deadline
    const entry = { key, isBackground, begin: () => {} }
    const turn = new Promise<void>(resolve => {
      entry.begin = () => {
        hasBegun = true
        resolve()
      }
    })
    const at = isBackground ? -1 : queue.findIndex(other => other.isBackground)
    if (at < 0) queue.push(entry)
    else queue.splice(at, 0, entry)
    try {
      await within(deadline, turn, late)
    } catch (error) {
      if (hasBegun) release()
      else queue.splice(queue.indexOf(entry), 1)
      throw error
    }
  }
}
