import type { Engines } from './engines/engines.ts'
import type { Contract } from './kernel/contract.ts'
import { ToolError } from './kernel/error.ts'

/** Each is loaded when it is first named: nobody waits for the tools of another. */
const CONTRACTS: Readonly<Record<string, () => Promise<Contract<Engines>>>> = {
  toolwright: async () => (await import('./contracts/toolwright/contract.ts')).toolwright,
  sage: async () => (await import('./contracts/sage/contract.ts')).sage,
  superconnect: async () => (await import('./contracts/superconnect/contract.ts')).superconnect,
  autonomous: async () => (await import('./contracts/autonomous/contract.ts')).autonomous,
  'cli-agent': async () => (await import('./contracts/cli-agent/contract.ts')).cliAgent,
  'debug-assistant': async () => (await import('./contracts/debug-assistant/contract.ts')).debugAssistant,
}

export const CONTRACT_IDS: readonly string[] = Object.keys(CONTRACTS)

const loaded = new Map<string, Contract<Engines>>()

/** A contract by its id. */
export async function loadContract(id: string): Promise<Contract<Engines>> {
  const known = loaded.get(id)
  if (known) return known
  const load = Object.hasOwn(CONTRACTS, id) ? CONTRACTS[id] : undefined
  if (!load)
    throw new ToolError('invalid_input', `There is no contract '${id}'`, {
      hint: `Contracts: ${CONTRACT_IDS.join(', ')}`,
    })
  const contract = await load()
  loaded.set(id, contract)
  return contract
}

/** Every published contract. */
export const allContracts = (): Promise<readonly Contract<Engines>[]> => Promise.all(CONTRACT_IDS.map(loadContract))
