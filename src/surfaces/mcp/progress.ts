import { sanitize } from '../../kernel/sanitize.ts'
import type { CallRequest } from './call-request.ts'

/** Notifies a client that a call is running, and of its output, if the client asked for progress. */
export interface Progress {
  say(text: string): void
  stop(): void
}

const QUIET_MS = 250
const BEAT_MS = 5000

export function progressFor({ mcpReq }: CallRequest): Progress {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return { say() {}, stop() {} }
  const since = performance.now()
  let count = 0
  let sentAt = since
  let latest: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const send = (message: string): void => {
    sentAt = performance.now()
    latest = undefined
    // A disconnected client needs no progress; its call ends elsewhere.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress: ++count, message } })
      .catch(() => {})
    next()
  }
  /** Sends the newest line, no faster than a person can read; without output, a sign of life. */
  const next = (): void => {
    clearTimeout(timer)
    const wait = latest === undefined ? BEAT_MS : Math.max(0, QUIET_MS - (performance.now() - sentAt))
    timer = setTimeout(() => send(latest ?? `${Math.round((performance.now() - since) / 1000)} s`), wait).unref()
  }
  next()
  return {
    say(text) {
      // What was told to stop may still say something, which a client that has its answer cannot place.
      const line = isOver ? undefined : lastLine(text)
      if (line === undefined) return
      const isPlanned = latest !== undefined
      latest = line
      if (!isPlanned) next()
    },
    stop() {
      isOver = true
      clearTimeout(timer)
    },
  }
}

const lastLine = (text: string): string | undefined => {
  const line = text.split('\n').findLast(one => one.trim() !== '')
  return line === undefined ? undefined : sanitize(line, { max: 200 })
}
