import { isPast } from './deadline.ts'
import { hasDied } from './server-error.ts'
import type { Servers } from './types.ts'

/** Repeats each question once if its server exited on its own. */
export const restartedServers = (servers: Servers): Servers => ({
  ...servers,
  async ask(path, staged, deadline, work) {
    try {
      return await servers.ask(path, staged, deadline, work)
    } catch (error) {
      if (!hasDied(error) || isPast(deadline)) throw error
      return servers.ask(path, staged, deadline, work)
    }
  },
})
