import { isDeepStrictEqual } from 'node:util'
import { digested } from './call-line.ts'
import { errorOf } from './failure.ts'
import { maskIn } from './mask.ts'
import { pack, unpack } from './pack.ts'
import type { CallLine, Event } from './recording.ts'

/** What a call asked for that the recording does not have, or not so. */
interface Mismatch {
  readonly recorded: unknown
  readonly now: unknown
}

/** The events of a recorded call, played back to whoever asks for the same things again. */
export interface Tape {
  /** What came back when this was asked; throws what was thrown. */
  take(on: string, args?: readonly unknown[], note?: (facts: unknown) => void): unknown
  /** The first thing that was not as recorded; undefined if all was. */
  mismatch(): Mismatch | undefined
}

interface TapeOptions {
  readonly textOf: (id: string) => string
  readonly revealed: ReadonlyMap<string, string>
  /** The caller takes the call back. */
  abort(): void
}

export function createTape({ events, masked }: CallLine, { textOf, revealed, abort }: TapeOptions): Tape {
  const left = events.map(event => ({ event, args: argsOf(event) }))
  let mismatch: Mismatch | undefined

  function argsOf({ on, args }: Event): unknown {
    // Where a secret was taken out of a text, its size and hash are not those of the text that was kept.
    return masked && on === 'keep' ? undefined : plain(unpack(args, textOf))
  }

  function abortNext(): void {
    if (left[0]?.event.on !== 'abort') return
    left.shift()
    abort()
  }

  return {
    take(on, args = [], note = () => {}) {
      const asked = digested(maskIn({ on, ...(args.length > 0 && { args: pack(args) }) }, revealed))
      const wanted = argsOf(asked)
      const at = left.findIndex(({ event, args: recorded }) => event.on === on && isDeepStrictEqual(recorded, wanted))
      const [found] = at < 0 ? [] : left.splice(at, 1)
      if (!found) {
        const instead = left.find(({ event }) => event.on === on) ?? left[0]
        mismatch ??= { recorded: instead && ask(instead.event.on, instead.args), now: ask(on, wanted) }
        throw new Error(`The recording does not say what '${on}' gives`)
      }
      abortNext()
      return play(found.event, note)
    },
    mismatch() {
      const missing = left.find(({ event }) => !OPTIONAL.has(event.on))
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

/** What an asker looks at is the asker's affair, and nobody is asked again; when a call was taken back, too. */
const OPTIONAL = new Set(['abort', 'diff'])

/** As JSON has it, so that what was packed and what was not compare as equal. */
const plain = (value: unknown): unknown => pack(value)
