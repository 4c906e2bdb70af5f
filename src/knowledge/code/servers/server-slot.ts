import { z } from 'zod'
import { deadlineIn, type Deadline } from './deadline.ts'
import type { ServerDefinition } from '../../../languages/server-definition.ts'
import type { HiddenFiles } from './hidden-files.ts'
import type { LiveParts, LiveServer } from './live-server.ts'
import { createRequestQueue, type RequestQueue } from './request-queue.ts'

const PROGRESS_MS = 500

/** One server and its users. */
export interface Slot {
  readonly definition: ServerDefinition
  readonly hidden: HiddenFiles
  readonly turns: RequestQueue
  seen: Seen | undefined
  live: Promise<LiveServer> | undefined
  /** Its reported activity while it starts and loads. */
  doing: () => string | undefined
  following: Promise<void>
  users: number
  usedAt: number
  idle: NodeJS.Timeout | undefined
}

export type Seen = Pick<LiveParts, 'tree' | 'readText'>

export const newSlot = (definition: ServerDefinition, hiddenFiles: HiddenFiles): Slot => ({
  definition,
  hidden: hiddenFiles,
  turns: createRequestQueue(),
  seen: undefined,
  live: undefined,
  doing: () => undefined,
  following: Promise.resolve(),
  users: 0,
  usedAt: 0,
  idle: undefined,
})

/** Reports the server's activity to a waiting caller whenever it changes. */
export function reportProgress(slot: Slot, { onProgress }: Deadline): () => void {
  if (!onProgress) return () => {}
  let last: string | undefined
  const tell = () => {
    const doing = slot.doing()
    if (doing === undefined || doing === last) return
    last = doing
    onProgress(`${slot.definition.name}: ${doing}`)
  }
  tell()
  const timer = setInterval(tell, PROGRESS_MS)
  return () => {
    clearInterval(timer)
    // A question that times out was informed of the progress.
    tell()
  }
}

/** A server in use continues until its current questions are answered. */
export const isGone = (live: Promise<LiveServer>, isAlone: boolean): Promise<boolean> =>
  live.then(
    ({ connection, isOutdated, stop }) => {
      if (isAlone && isOutdated()) stop('was started anew: too many files have changed since it read them')
      return connection.over() !== undefined
    },
    () => true,
  )

/** Stops the server of a slot, which stays for the next question. */
export function emptySlot(slot: Slot): void {
  const { live } = slot
  slot.live = undefined
  slot.doing = () => undefined
  if (live) void stopServer(live)
}

export async function stopServer(live: Promise<LiveServer>): Promise<void> {
  const server = await live.catch(() => undefined)
  server?.stop('was stopped')
  await server?.connection.exit
}

/** Ends the server unless it responds; even an error response to an unknown request counts. */
export function suspect({ connection, stop }: LiveServer, sentAt: number, silentMs: number): void {
  const wait = Math.max(0, sentAt + silentMs - performance.now())
  connection.request('toolwright/alive', {}, z.unknown(), deadlineIn(wait)).catch(() => {})
  const judge = () => {
    if (connection.heardAt() < sentAt) stop(`was ended: it gave no sign of life for ${silentMs / 1000} s`)
  }
  setTimeout(judge, wait).unref()
}
