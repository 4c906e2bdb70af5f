import type { CallResult } from '../../agent/run-events.ts'
import type { Toolbox } from '../../agent/toolbox.ts'
import type { Toolkit } from '../../toolkit.ts'
import { sessionToolbox } from '../agent/session-toolbox.ts'

/** Which tools, and whose calls they make. */
export interface AdapterOptions {
  /** Contracts to take tools from; with several, names are prefixed. Default: the toolkit's. */
  readonly contracts?: readonly string[]
}

/** Returns the tools of a toolkit's own session, as a model gets them. */
export const sessionTools = (kit: Toolkit, { contracts = [] }: AdapterOptions): Promise<Toolbox> =>
  sessionToolbox(kit, kit, contracts)

const NEVER = new AbortController().signal

/** Makes one call that a model asked for. */
export const callTool = (
  toolbox: Toolbox,
  name: string,
  input: unknown,
  signal: AbortSignal = NEVER,
): Promise<CallResult> => toolbox.call(name, input, { signal })

/** Parses the arguments of a call. What is no JSON is passed on, and refused by the tool. */
export function argumentsIn(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}
