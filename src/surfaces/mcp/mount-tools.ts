import { ToolError } from '../../kernel/error.ts'
import { mcpForm, type McpForm } from '../../kernel/wire-forms.ts'
import type { SessionHandle } from '../../toolkit.ts'
import { isInProfile, type Profile } from './profile.ts'

export interface MountedTool {
  readonly contract: string
  /** As its contract spells it. */
  readonly name: string
  /** Its description, worked out when a client first wants the list. */
  readonly form: () => McpForm
}

/** The five documents keep their tools, forms, and JSON as text; what is our own is written for models. */
export const isOurs = ({ contract }: Pick<MountedTool, 'contract'>): boolean => contract === 'toolwright'

/** The tools that a session offers, by their names on the wire: those of one contract as they are, of several prefixed. */
export async function mountTools(
  session: SessionHandle,
  contracts: readonly string[],
  profile?: Profile,
): Promise<ReadonlyMap<string, MountedTool>> {
  const ids = contracts.length === 0 ? [undefined] : [...new Set(contracts)]
  const mounted = new Map<string, MountedTool>()
  for (const id of ids) {
    const { contract, tools } = await session.offer(id)
    for (const tool of tools) {
      if (isOurs({ contract: contract.id }) && !isInProfile(tool.name, profile)) continue
      const name = ids.length > 1 ? `${contract.id}_${tool.name}` : tool.name
      if (mounted.has(name)) throw new ToolError('exists', `Two tools would be called '${name}'`)
      mounted.set(name, { contract: contract.id, name: tool.name, form: () => ({ ...mcpForm(tool, contract), name }) })
    }
  }
  return mounted
}
