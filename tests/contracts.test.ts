import { describe, it } from 'vitest'
import { autonomous } from '../src/contracts/autonomous/contract.ts'
import { cliAgent } from '../src/contracts/cli-agent/contract.ts'
import { debugAssistant } from '../src/contracts/debug-assistant/contract.ts'
import { sage } from '../src/contracts/sage/contract.ts'
import { superconnect } from '../src/contracts/superconnect/contract.ts'
import { toolwright } from '../src/contracts/toolwright/contract.ts'
import { checkContract, runsCommands } from '../src/testing/check-contract.ts'
import { needs } from './needs.ts'

for (const contract of [toolwright, sage, cliAgent, superconnect, autonomous, debugAssistant]) {
  const runs = contract.tools.filter(tool => runsCommands(contract, tool) || asksServer(tool.name))
  const others = contract.tools.filter(tool => !runs.includes(tool))
  checkContract(contract, { describe, it }, others)
  checkContract(contract, { describe, it: needs('bubblewrap') }, runs)
}

/** Language servers run in the sandbox as well. */
function asksServer(name: string): boolean {
  return name === 'references'
}
