import type { OutputTypes } from '../../../machine/desk/check-output.ts'
import type { Connection } from '../../../knowledge/github/types.ts'
import type { Network } from '../../../machine/web/network.ts'

/** The document's ToolDefinition. */
export interface AgentTool {
  name: string
  description?: string
  execute(input: unknown): Promise<unknown>
}

export type { ToolResult as AgentToolResult } from '../../../contracts/autonomous/types.ts'

/** What the tools of an agent close over. */
export interface AgentContext {
  /** The GitHub connection of a product; undefined if it has none. Handing one over grants its host. */
  connection(productId: string): Connection | undefined | Promise<Connection | undefined>
  /** Types of output for validate_output, besides domain_map. */
  outputs?: OutputTypes
  /** The directory whose policy, budgets and journal hold; that of the process unless given. */
  cwd?: string
  /** Granted besides the host of the connection, such as `net:10.0.0.7:443` for an Enterprise server inside. */
  permissions?: readonly string[]
  /** Stands in for the network of this machine. */
  network?: Network
}
