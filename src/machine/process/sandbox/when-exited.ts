import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

const STRAGGLER_MS = 1000

/**
 * Reports once how a program ended, when all its output is read. Everything that could print more ends with it. Waits
 * only briefly if a stream stays open anyway.
 */
export function whenExited(
  child: ChildProcess,
  outputs: readonly Readable[],
  tell: (exit: { code: number | null; signal: string | null }) => void,
): void {
  let openEnds = outputs.length + 1
  const count = (code: number | null, signal: string | null) => {
    if (openEnds > 0 && --openEnds === 0) tell({ code, signal })
  }
  for (const stream of outputs) stream.once('close', () => count(child.exitCode, child.signalCode))
  child.on('close', count)
  child.on('exit', (code, signal) => {
    // An unread stream would never end.
    for (const stream of outputs) if (stream.readableFlowing === null) stream.resume()
    const giveUp = () => {
      if (openEnds === 0) return
      openEnds = 0
      tell({ code, signal })
    }
    setTimeout(giveUp, STRAGGLER_MS).unref()
  })
}
