import type { AskOptions } from '../kernel/ask-options.ts'
import { ToolError } from '../kernel/error.ts'
import type { Connection } from './connect.ts'

/** Methods that a socket can carry: a question and how long to wait, and an answer or a stream; or groups of them. */
type Answering<T> = {
  readonly [Name in keyof T]: T[Name] extends (question: never, options: AskOptions) => infer Answer
    ? Answer extends Promise<unknown> | AsyncIterable<unknown>
      ? T[Name]
      : never
    : T[Name] extends (...args: never[]) => unknown
      ? never
      : Answering<T[Name]>
}

const DEFAULT = { timeoutMs: 30_000 } as const

/** Answers every method of `T` by asking the process at the other end for the method of that name. */
export const remote = <T extends Answering<T>>({ ask }: Pick<Connection, 'ask'>): T => stub(ask, []) as T

function stub(ask: Connection['ask'], names: readonly string[]): object {
  const call = (question: unknown, options: AskOptions = DEFAULT): unknown => ask(names.join('.'), question, options)
  return new Proxy(call, {
    // A promise looks for `then` in what it is resolved with.
    get: (_, name) => (typeof name === 'symbol' || name === 'then' ? undefined : stub(ask, [...names, name])),
  })
}

/** Calls the method of this name. Only what the object itself has can be called, not what every object inherits. */
export function callNamed(answers: object, method: string, question: unknown, options: AskOptions): unknown {
  let found: unknown = answers
  for (const name of method.split('.'))
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, name) ? Reflect.get(found, name) : undefined
  if (typeof found !== 'function') throw new ToolError('invalid_input', `There is no request '${method}'`)
  return Reflect.apply(found, undefined, [question, options])
}
