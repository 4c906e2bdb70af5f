import type { OutputTypes } from '../../../machine/validation/check-output.ts'
import type { Connection } from '../../../knowledge/github/types.ts'
import type { Network } from '../../../machine/web/network.ts'

/** The document's ToolDefinition. */
export interface AgentTool {
  name: string
  description?: string
  execute(input: unknown): Promise<unknown>
}

export type { ToolResult as AgentToolResult } from '../../../contracts/autonomous/types.ts'

/** Context of an agent's tools. */
export interface AgentContext {
  /** Returns the GitHub connection of a product, or undefined if it has none. Returning one grants its host. */
  connection(productId: string): Connection | undefined | Promise<Connection | undefined>
  /** Output types for validate_output, besides domain_map. */
  outputs?: OutputTypes
  /** The directory whose policy, budgets and journal apply; default is that of the process. */
  cwd?: string
  /** Permissions besides the host of the connection, such as `net:10.0.0.7:443` for an internal Enterprise server. */
  permissions?: readonly string[]
  /** Replaces the network of this machine. */
  network?: Network
}
