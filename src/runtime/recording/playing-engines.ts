import type { Tape } from './tape.ts'

/** Engines of any shape whose every function answers from the tape. */
export function playingEngines(tape: Tape): object {
  return named(group =>
    named(
      verb =>
        (...args: readonly unknown[]) =>
          tape.take(`${group}.${verb}`, args, noteOf(args)),
    ),
  )
}

function named(part: (name: string) => unknown): object {
  return new Proxy({}, { get: (_target, name) => (typeof name === 'string' ? part(name) : undefined) })
}

/** The way into the record of the call, where the engine was handed one. */
function noteOf(args: readonly unknown[]): ((facts: unknown) => void) | undefined {
  for (const arg of args)
    if (typeof arg === 'object' && arg !== null && 'note' in arg && typeof arg.note === 'function') {
      const { note } = arg
      return facts => void note(facts)
    }
  return undefined
}
