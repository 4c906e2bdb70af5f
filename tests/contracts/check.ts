import { describe, it } from 'vitest'
import type { Engines } from '../../src/engines/engines.ts'
import type { Contract } from '../../src/kernel/contract.ts'
import { checkContract, runsCommands } from '../../src/testing/check-contract.ts'
import { needs } from '../needs.ts'

/** The promises that every tool of a contract keeps; each contract has a file of its own, so that they run side by side. */
export function check(contract: Contract<Engines>): void {
  const runs = contract.tools.filter(tool => runsCommands(contract, tool) || asksServer(tool.name))
  const others = contract.tools.filter(tool => !runs.includes(tool))
  checkContract(contract, { describe, it }, others)
  checkContract(contract, { describe, it: needs('bubblewrap') }, runs)
}

/** Language servers run in the sandbox as well. */
function asksServer(name: string): boolean {
  return name === 'references'
}
