import { SHOWN_AFTER_MS } from '../../../kernel/loading.ts'
import type { Servers } from './types.ts'

/** Says what a caller waits for if its server is silent: one that starts reports no progress yet. */
export const waitingProgress = (servers: Servers): Servers => ({
  ...servers,
  async ask(path, staged, deadline, work) {
    const { onProgress } = deadline
    if (!onProgress) return servers.ask(path, staged, deadline, work)
    const timer = setTimeout(() => onProgress(`Waiting for the language server of ${path}`), SHOWN_AFTER_MS)
    const pass = (text: string): void => {
      clearTimeout(timer)
      onProgress(text)
    }
    try {
      return await servers.ask(path, staged, { ...deadline, onProgress: pass }, work)
    } finally {
      clearTimeout(timer)
    }
  },
})
