import { pipeline, Transform, type Duplex } from 'node:stream'
import type { ProxyLimits } from './types.ts'

/** Shared usage of all connections of one command. */
export interface Tally {
  /** Passes bytes on and counts them. Fails when the command's limit is reached. */
  counter(): Transform
  /** Carries bytes both ways until both sides end or the connection idles too long. Bytes of `one` pass the guard. */
  join(one: Duplex, other: Duplex, guard: Transform): void
}

export function createTally({ bytes: most, idleMs }: Pick<ProxyLimits, 'bytes' | 'idleMs'>): Tally {
  let bytes = 0
  const counter = (moved: () => void = () => {}) =>
    new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        moved()
        if (bytes > most) done(new Error(`the command has moved more than ${most} bytes`))
        else done(null, chunk)
      },
    })
  return {
    counter,
    join(one, other, guard) {
      let directionsLeft = 2
      const end = (): void => {
        clearTimeout(timer)
        one.destroy()
        other.destroy()
      }
      const timer = setTimeout(end, idleMs)
      const endDirection = (error: unknown): void => {
        directionsLeft--
        if (error || directionsLeft === 0) end()
      }
      const noteTraffic = (): void => void timer.refresh()
      pipeline(one, guard, counter(noteTraffic), other, endDirection)
      pipeline(other, counter(noteTraffic), one, endDirection)
    },
  }
}
