import { createContext, Script } from 'node:vm'
import { once } from '../../../kernel/once.ts'

const script = once(() => new Script('work()'))

/** Does work that may never end, such as matching an expression. Returns undefined if it takes longer than this. */
export function withinTime<T>(ms: number, work: () => T): T | undefined {
  try {
    return script().runInContext(createContext({ work }), { timeout: Math.ceil(ms) })
  } catch (error) {
    // It belongs to the other context, and is no `Error` of this one.
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw error
  }
}
