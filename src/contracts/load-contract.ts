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

/** What each tool of the contract `toolwright` takes and gives, by its name. */
export interface ToolwrightTools extends ToolsIn<ToolwrightTool> {}
/** What each tool of the contract `sage` takes and gives, by its name. */
export interface SageTools extends ToolsIn<SageTool> {}
/** What each tool of the contract `superconnect` takes and gives, by its name. */
export interface SuperconnectTools extends ToolsIn<SuperconnectTool> {}
/** What each tool of the contract `autonomous` takes and gives, by its name. */
export interface AutonomousTools extends ToolsIn<AutonomousTool> {}
/** What each tool of the contract `cli-agent` takes and gives, by its name. */
export interface CliAgentTools extends ToolsIn<CliAgentTool> {}
/** What each tool of the contract `debug-assistant` takes and gives, by its name. */
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

/** What is known of a contract before it is loaded. */
interface Published {
  load(): Promise<Contract<Engines>>
  /** Loads the contract with one tool only, for a program that makes one call; undefined for an unknown tool. */
  loadOne?(tool: string): Promise<Contract<Engines> | undefined>
  /** A pattern of files that it keeps in a workspace and that are none of the workspace's own. */
  readonly ownFiles?: string
  /** A protected place that a host may grant to an adapter which it registers. */
  readonly adapterPlace?: string
}

/** Each is loaded when it is first named: nobody waits for the tools of another. */
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

/** The files of all contracts that are none of a workspace's own. */
export const OWN_FILES: readonly string[] = Object.values(CONTRACTS).flatMap(({ ownFiles = [] }) => ownFiles)

/** The places that hosts may grant to adapters. */
export const ADAPTER_PLACES: readonly string[] = Object.values(CONTRACTS).flatMap(
  ({ adapterPlace = [] }) => adapterPlace,
)

const loaded = new Map<string, Contract<Engines>>()

/** A contract by its id. */
export async function loadContract(id: string): Promise<Contract<Engines>> {
  const known = loaded.get(id)
  if (known) return known
  const published = Object.hasOwn(CONTRACTS, id) ? CONTRACTS[id] : undefined
  if (!published)
    throw new ToolError('invalid_input', `There is no contract '${id}'`, {
      hint: `Contracts: ${CONTRACT_IDS.join(', ')}`,
    })
  const contract = await published.load()
  loaded.set(id, noted(contract))
  return contract
}

/** Every published contract. */
export const allContracts = (): Promise<readonly Contract<Engines>[]> => Promise.all(CONTRACT_IDS.map(loadContract))

/** A contract for a single call of this tool; with its other tools where it cannot be had without them. */
export async function loadForCall(id: string, tool: string): Promise<Contract<Engines>> {
  const one = Object.hasOwn(CONTRACTS, id) ? await CONTRACTS[id]?.loadOne?.(tool) : undefined
  return one ? noted(one) : loadContract(id)
}

/** Contracts of ours, whose tools use no engine that they do not declare. */
const ours = new WeakSet<Contract<Engines>>()

const noted = (contract: Contract<Engines>): Contract<Engines> => {
  ours.add(contract)
  return contract
}

/** Reports whether a contract is one of those that we publish, and not one of somebody's program. */
export const isPublished = (contract: Contract<Engines>): boolean => ours.has(contract)
