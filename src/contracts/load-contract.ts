import type { Engines } from '../engines/engines.ts'
import type { AnyTool, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import type { AnyTools, ToolsIn } from '../kernel/tool-types.ts'
import type { AutonomousTool } from './autonomous/contract.ts'
import type { CliAgentTool } from './cli-agent/contract.ts'
import type { DebugAssistantTool } from './debug-assistant/contract.ts'
import type { SageTool } from './sage/contract.ts'
import type { SuperconnectTool } from './superconnect/contract.ts'
import type { ToolwrightTool } from './toolwright/contract.ts'
import { METRICS_FILES } from './superconnect/metrics-file.ts'

/** Inputs and outputs of the tools of `toolwright`, by name. */
export interface ToolwrightTools extends ToolsIn<ToolwrightTool> {}
/** Inputs and outputs of the tools of `sage`, by name. */
export interface SageTools extends ToolsIn<SageTool> {}
/** Inputs and outputs of the tools of `superconnect`, by name. */
export interface SuperconnectTools extends ToolsIn<SuperconnectTool> {}
/** Inputs and outputs of the tools of `autonomous`, by name. */
export interface AutonomousTools extends ToolsIn<AutonomousTool> {}
/** Inputs and outputs of the tools of `cli-agent`, by name. */
export interface CliAgentTools extends ToolsIn<CliAgentTool> {}
/** Inputs and outputs of the tools of `debug-assistant`, by name. */
export interface DebugAssistantTools extends ToolsIn<DebugAssistantTool> {}

/** The tools of every published contract, by the id of the contract. */
export interface ContractTools {
  readonly toolwright: ToolwrightTools
  readonly sage: SageTools
  readonly superconnect: SuperconnectTools
  readonly autonomous: AutonomousTools
  readonly 'cli-agent': CliAgentTools
  readonly 'debug-assistant': DebugAssistantTools
}

/** The id of a published contract. */
export type ContractId = keyof ContractTools

/** The tools of a contract, given by its id or as itself; any tools where several contracts are possible. */
export type ToolsOf<C extends ContractId | Contract<Engines>> = [C] extends [ContractId]
  ? IsUnion<C> extends true
    ? AnyTools
    : ContractTools[C]
  : [C] extends [{ readonly tools: readonly (infer Listed extends AnyTool<Engines>)[] }]
    ? ToolsIn<Listed>
    : AnyTools

type IsUnion<T, Whole = T> = T extends unknown ? ([Whole] extends [T] ? false : true) : never

/** Facts about a contract before it is loaded. */
interface Published {
  load(): Promise<Contract<Engines>>
  /** Loads the contract with one tool only, for a program that makes one call; undefined for an unknown tool. */
  loadOne?(tool: string): Promise<Contract<Engines> | undefined>
  /** A pattern for the contract's own files in a workspace. */
  readonly ownFiles?: string
  /** A protected place that a host may grant to a registered adapter. */
  readonly adapterPlace?: string
}

/** Loads each contract on first use, so that no call waits for the tools of another. */
const CONTRACTS: Readonly<Record<string, Published>> = {
  toolwright: {
    load: async () => (await import('./toolwright/contract.ts')).toolwright,
    loadOne: async tool => (await import('./toolwright/one-tool.ts')).oneTool(tool),
  },
  sage: { load: async () => (await import('./sage/contract.ts')).sage, adapterPlace: '.sage' },
  superconnect: {
    load: async () => (await import('./superconnect/contract.ts')).superconnect,
    ownFiles: METRICS_FILES,
  },
  autonomous: { load: async () => (await import('./autonomous/contract.ts')).autonomous },
  'cli-agent': { load: async () => (await import('./cli-agent/contract.ts')).cliAgent },
  'debug-assistant': { load: async () => (await import('./debug-assistant/contract.ts')).debugAssistant },
} satisfies Record<ContractId, Published>

/** The ids of the published contracts. */
export const CONTRACT_IDS: readonly string[] = Object.keys(CONTRACTS)

/** Patterns for the files of all contracts in a workspace. */
export const OWN_FILES: readonly string[] = Object.values(CONTRACTS).flatMap(({ ownFiles = [] }) => ownFiles)

/** The protected places that hosts may grant to adapters. */
export const ADAPTER_PLACES: readonly string[] = Object.values(CONTRACTS).flatMap(
  ({ adapterPlace = [] }) => adapterPlace,
)

const contracts = new Map<string, Contract<Engines>>()

/** Loads a contract by its id. */
export async function loadContract(id: string): Promise<Contract<Engines>> {
  const loadedContract = contracts.get(id)
  if (loadedContract) return loadedContract
  const entry = Object.hasOwn(CONTRACTS, id) ? CONTRACTS[id] : undefined
  if (!entry)
    throw new ToolError('invalid_input', `There is no contract '${id}'`, {
      hint: `Contracts: ${CONTRACT_IDS.join(', ')}`,
    })
  const contract = await entry.load()
  contracts.set(id, contract)
  return contract
}

/** Loads every published contract. */
export const allContracts = (): Promise<readonly Contract<Engines>[]> => Promise.all(CONTRACT_IDS.map(loadContract))

/** Loads a contract for one call of this tool, with its other tools only if necessary. */
export async function loadForCall(id: string, tool: string): Promise<Contract<Engines>> {
  const one = Object.hasOwn(CONTRACTS, id) ? await CONTRACTS[id]?.loadOne?.(tool) : undefined
  return one ?? loadContract(id)
}
