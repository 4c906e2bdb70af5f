/** Everything a tool file needs, in one import. */
export { z } from 'zod'
export { defineTool } from '../engines/engines.ts'
export {
  commandHosts,
  creates,
  execs,
  inputs,
  linkCreates,
  linkReads,
  linkWrites,
  restores,
  nets,
  reads,
  readsBelow,
  readsMemory,
  readsRepository,
  standingHosts,
  writes,
  writesFound,
  writesMemory,
  type Claim,
} from '../kernel/claim.ts'
export { ToolError } from '../kernel/error.ts'
