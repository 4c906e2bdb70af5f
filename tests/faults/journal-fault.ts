type Work = (...args: readonly unknown[]) => unknown

/** Which files cannot be written any more, from which call of the file system on. */
export interface JournalFault {
  readonly files: RegExp
  /** Of all calls that are made, those for anything else too. */
  readonly at: number
  /** From there on, or the first time only. */
  readonly lasting: boolean
}

let fault: JournalFault | undefined
let calls = 0
let isSpent = false
const held = new Map<number, string>()

/** Counts the calls of the file system while something is done, and refuses those that the fault is about. */
export async function withFault<T>(given: JournalFault, work: () => Promise<T>): Promise<{ done: T; isOver: boolean }> {
  ;[fault, calls, isSpent] = [given, 0, false]
  try {
    const done = await work()
    return { done, isOver: calls <= given.at }
  } finally {
    fault = undefined
  }
}

/** The module `node:fs` with the fault before every call. */
export const failing = <T extends object>(real: T): T =>
  Object.fromEntries(Object.entries(real).map(([name, value]) => [name, wrap(name, value)])) as T

function wrap(name: string, value: unknown): unknown {
  if (typeof value !== 'function' || !(name.endsWith('Sync') || name === 'fdatasync')) return value
  const work = value as Work
  const wrapped = (...args: readonly unknown[]): unknown => {
    const error = refused(name, args)
    const callback = args.at(-1)
    if (error && typeof callback === 'function') return setImmediate(() => Reflect.apply(callback, undefined, [error]))
    if (error) throw error
    const result = work(...args)
    if (name === 'openSync' && typeof args[0] === 'string') held.set(Number(result), args[0])
    if (name === 'closeSync') held.delete(Number(args[0]))
    return result
  }
  return Object.assign(wrapped, value)
}

/** A disk that may only be read from. */
function refused(name: string, args: readonly unknown[]): Error | undefined {
  if (fault === undefined || calls++ < fault.at || isSpent || !changes(name, args[1])) return undefined
  const [first] = args
  const path = typeof first === 'number' ? held.get(first) : String(first)
  if (path === undefined || !fault.files.test(path)) return undefined
  isSpent = !fault.lasting
  return Object.assign(new Error('EROFS: injected'), { code: 'EROFS', syscall: name })
}

const CHANGES = /^(write|fdatasync|fsync|ftruncate|truncate|rename|unlink|rm|mkdir|link|symlink)/

const changes = (name: string, flags: unknown): boolean =>
  name === 'openSync' ? (typeof flags === 'number' ? (flags & 3) !== 0 : flags !== 'r') : CHANGES.test(name)
