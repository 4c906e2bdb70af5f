import { failureOf } from './failure.ts'
import { pack } from './pack.ts'
import type { Event } from './recording.ts'

/** The events of one call, in the order in which they began. */
export interface Trace {
  readonly events: readonly Event[]
  /** Does one thing, records its arguments and its result, and returns the result unchanged. */
  note<T>(on: string, args: readonly unknown[], work: () => T): T
  /** Returns a part of the call that no data can represent; undefined if there is none. */
  broken(): string | undefined
}

export function createTrace(): Trace {
  const events: Event[] = []
  let broken: string | undefined

  /** Recording a call must not break it. */
  const packSafely = (on: string, value: unknown): unknown => {
    try {
      return pack(value)
    } catch (cause) {
      broken ??= `'${on}' ${cause instanceof Error ? cause.message : String(cause)}`
      return undefined
    }
  }

  return {
    events,
    broken: () => broken,
    note<T>(on: string, args: readonly unknown[], work: () => T): T {
      const event: Event = { on, ...(args.length > 0 && { args: packSafely(on, args) }) }
      events.push(event)
      const gave = <V>(value: V): V => {
        const answer = packSafely(on, value)
        if (answer !== undefined) event.gave = answer
        delete event.unsettled
        return value
      }
      const threw = (cause: unknown): never => {
        event.threw = failureOf(cause)
        delete event.unsettled
        throw cause
      }
      try {
        const answer = work()
        if (!(answer instanceof Promise)) return gave(answer)
        event.later = true
        event.unsettled = true
        return answer.then(gave, threw) as T
      } catch (cause) {
        return threw(cause)
      }
    },
  }
}
