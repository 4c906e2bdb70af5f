import { within, type Deadline } from './deadline.ts'
import type { ToolError } from '../../../kernel/error.ts'

/** Lets those who see the same workspace ask side by side, and those who see another one after them. */
export interface Turns {
  run<T>(key: string, deadline: Deadline, late: () => ToolError, work: () => Promise<T>): Promise<T>
}

export function createTurns(): Turns {
  let current: string | undefined
  let active = 0
  const queue: { readonly key: string; readonly begin: () => void }[] = []
  const isFree = (key: string) => active === 0 || (key === current && queue.length === 0)
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
    async run(key, deadline, late, work) {
      if (isFree(key)) take(key)
      else await entered(key, deadline, late)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }

  async function entered(key: string, deadline: Deadline, late: () => ToolError): Promise<void> {
    let hasBegun = false
    const entry = { key, begin: () => {} }
    const turn = new Promise<void>(resolve => {
      entry.begin = () => {
        hasBegun = true
        resolve()
      }
    })
    queue.push(entry)
    try {
      await within(deadline, turn, late)
    } catch (error) {
      if (hasBegun) release()
      else queue.splice(queue.indexOf(entry), 1)
      throw error
    }
  }
}
