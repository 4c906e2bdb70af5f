import { toolwright } from '../../src/contracts/toolwright/contract.ts'
import type { Engines } from '../../src/engines/engines.ts'
import type { AnyTool, Contract } from '../../src/kernel/contract.ts'

/** Tools of a test behind everything that guards the published ones. */
export const standInContract = (...tools: readonly AnyTool<Engines>[]): Contract<Engines> => ({
  id: 'standin',
  tools,
  codes: toolwright.codes,
  envelope: toolwright.envelope,
})
