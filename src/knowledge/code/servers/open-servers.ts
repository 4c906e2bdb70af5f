import { once } from '../../../kernel/once.ts'
import type { Servers, ServersParts } from './types.ts'

/** Loads nothing before the first question. */
export function openServers(parts: ServersParts): Servers {
  let isUsed = false
  const pool = once(async () => {
    isUsed = true
    return (await import('./server-pool.ts')).serverPool(parts)
  })
  return {
    serves: async path => (await pool()).serves(path),
    ask: async (path, staged, deadline, work) => (await pool()).ask(path, staged, deadline, work),
    known: async () => (await pool()).known(),
    running: async () => (isUsed ? (await pool()).running() : []),
    async close() {
      if (isUsed) await (await pool()).close()
    },
  }
}
