import { isDeepStrictEqual } from 'node:util'
import { digestEvent } from './call-line.ts'
import { errorOf } from './failure.ts'
import { maskIn } from './mask.ts'
import { pack, unpack } from './pack.ts'
import type { CallLine, Event } from './recording.ts'

/** A request of a call that the recording does not have, or has differently. */
interface Mismatch {
  readonly recorded: unknown
  readonly now: unknown
}

/** Plays the events of a recorded call back to the same requests. */
export interface Tape {
  /** Returns the recorded result of this request, or throws the recorded exception. */
  take(on: string, args?: readonly unknown[], note?: (facts: unknown) => void): unknown
  /** Reports whether the recording has a result for this request. */
  has(on: string, args?: readonly unknown[]): boolean
  /** Returns the first difference from the recording; undefined if there is none. */
  mismatch(): Mismatch | undefined
}

interface TapeOptions {
  readonly textOf: (id: string) => string
  readonly revealed: ReadonlyMap<string, string>
  /** Cancels the call as its caller did. */
  abort(): void
}

export function createTape({ events, masked }: CallLine, { textOf, revealed, abort }: TapeOptions): Tape {
  const remainingEvents = events.map(event => ({ event, args: argsOf(event) }))
  let mismatch: Mismatch | undefined

  function argsOf({ on, args }: Event): unknown {
    // If a secret was removed from a text, its size and hash differ from those of the stored text.
    return masked && on === 'keep' ? undefined : plain(unpack(args, textOf))
  }

  function abortNext(): void {
    if (remainingEvents[0]?.event.on !== 'abort') return
    remainingEvents.shift()
    abort()
  }

  function find(on: string, args: readonly unknown[]): { readonly at: number; readonly wanted: unknown } {
    const requestEvent = digestEvent(maskIn({ on, ...(args.length > 0 && { args: pack(args) }) }, revealed))
    const wantedArgs = argsOf(requestEvent)
    const at = remainingEvents.findIndex(
      ({ event, args: recorded }) => event.on === on && isDeepStrictEqual(recorded, wantedArgs),
    )
    return { at, wanted: wantedArgs }
  }

  return {
    has: (on, args = []) => find(on, args).at >= 0,
    take(on, args = [], note = () => {}) {
      const { at, wanted } = find(on, args)
      const [match] = at < 0 ? [] : remainingEvents.splice(at, 1)
      if (!match) {
        const instead = remainingEvents.find(({ event }) => event.on === on) ?? remainingEvents[0]
        mismatch ??= { recorded: instead && ask(instead.event.on, instead.args), now: ask(on, wanted) }
        throw new Error(`The recording has no result for '${on}'`)
      }
      abortNext()
      return play(match.event, note)
    },
    mismatch() {
      const missing = remainingEvents.find(({ event }) => !OPTIONAL.has(event.on))
      return mismatch ?? (missing && { recorded: ask(missing.event.on, missing.args), now: undefined })
    },
  }

  function play(event: Event, note: (facts: unknown) => void): unknown {
    for (const facts of event.notes ?? []) note(unpack(facts, textOf))
    if (event.unsettled) return new Promise(() => {})
    const failure = event.threw && errorOf(event.threw, textOf)
    if (failure && event.later) return Promise.reject(failure)
    if (failure) throw failure
    const gave = unpack(event.gave, textOf)
    return event.later ? Promise.resolve(gave) : gave
  }
}

const ask = (on: string, args: unknown): object => ({ on, ...(args !== undefined && { args }) })

/** Diffs depend on what a person looked at, and no one is asked again. Cancelling is optional too. */
const OPTIONAL = new Set(['abort', 'diff'])

/** Converts to JSON, so that packed and unpacked values compare as equal. */
const plain = (value: unknown): unknown => pack(value)
