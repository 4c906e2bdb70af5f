import type { Trace } from './tracing.ts'
import type { Event } from './recording.ts'
import { pack } from './pack.ts'

/**
 * Wraps the engines to record them. Every engine is groups of functions that take and return data, so a new engine is
 * recorded without new code here.
 */
export function recordingEngines<Engines>(engines: Engines, trace: Trace): Engines {
  return perGroup(engines, (group, name) =>
    perGroup(group, (work, verb) => {
      if (typeof work !== 'function') return work
      return (...args: readonly unknown[]) => {
        const notes: unknown[] = []
        const heard = args.map(arg => listeningContext(arg, notes))
        const before = trace.events.length
        try {
          return trace.note(`${name}.${verb}`, args, () => Reflect.apply(work, group, heard))
        } finally {
          const event: Event | undefined = trace.events[before]
          // Filled while the engine works, which may be long after this.
          if (event) event.notes = notes
        }
      }
    }),
  )
}

/** Returns an object whose parts are created on first access. */
function perGroup<T>(object: T, part: (value: unknown, name: string) => unknown): T {
  if (typeof object !== 'object' || object === null) return object
  const partsByName = new Map<string, unknown>()
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof name !== 'string') return value
      const groupPart = partsByName.get(name) ?? part(value, name)
      partsByName.set(name, groupPart)
      return groupPart
    },
  })
}

/** Records what an engine notes of a call through the context that it was passed. */
function listeningContext(arg: unknown, notes: unknown[]): unknown {
  if (typeof arg !== 'object' || arg === null || !('note' in arg)) return arg
  const { note } = arg
  if (typeof note !== 'function') return arg
  const heard = (facts: unknown): void => {
    notes.push(pack(facts))
    note(facts)
  }
  return new Proxy(arg, {
    get: (target, name) => (name === 'note' ? heard : Reflect.get(target, name)),
  })
}
