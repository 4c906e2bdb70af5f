import type * as RunAgent from '../agent/run-agent.ts'

/**
 * Runs a task: the model makes calls in a session of this toolkit until it answers or a limit is reached. Loads the loop
 * and the provider with the first run.
 */
export const runAgent: typeof RunAgent.runAgent = async (...of) =>
  (await import('../agent/run-agent.ts')).runAgent(...of)
