import { createContext, Script } from 'node:vm'

const script = new Script('work()')
const context = createContext({ work: undefined })

/** What work gives, or undefined where it takes longer: it is ended then, in the middle of a regular expression too. */
export function runWithin<T>(ms: number, work: () => T): { readonly gave: T } | undefined {
  context['work'] = () => ({ gave: work() })
  try {
    return script.runInContext(context, { timeout: ms })
  } catch (cause) {
    // An error of the other context is no Error of this one.
    if (Object(cause).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined
    throw cause
  } finally {
    context['work'] = undefined
  }
}
