import { totalmem } from 'node:os'
import { residentBytes } from '../../../machine/process/resident-bytes.ts'

/** A running language server or graph process that shares the machine's memory with others. */
interface MeasuredServer {
  readonly pid: number
  /** Time of the last question, on the clock of `performance.now()`. */
  usedAt(): number
  isBusy(): boolean
  end(): void
}

/** Bounds the memory of all language servers and graph processes that this process runs. */
export interface ServerMemory {
  /** Watches a server until the returned function is called. */
  add(server: MeasuredServer): () => void
  /** Ends the least recently used ones until the rest fits; a busy one stays. */
  check(): void
}

const LOOK_MS = 15_000

export function serverMemory(
  mostBytes = defaultBytes(),
  bytesOf: (pid: number) => number = residentBytes,
): ServerMemory {
  const servers = new Set<MeasuredServer>()
  let timer: NodeJS.Timeout | undefined
  function check(): void {
    const usages = [...servers].map(server => ({ server, bytes: bytesOf(server.pid) }))
    let sum = usages.reduce((all, { bytes }) => all + bytes, 0)
    for (const { server, bytes } of usages.toSorted((one, other) => one.server.usedAt() - other.server.usedAt())) {
      if (sum <= mostBytes) return
      if (server.isBusy()) continue
      sum -= bytes
      server.end()
    }
  }
  return {
    check,
    add(server) {
      servers.add(server)
      timer ??= setInterval(check, LOOK_MS).unref()
      return () => {
        servers.delete(server)
        if (servers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** Half of the memory of the machine or container. */
function defaultBytes(): number {
  return Math.min(process.constrainedMemory() || Infinity, totalmem()) / 2
}
