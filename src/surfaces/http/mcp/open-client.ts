import { clientCalls } from '../../mcp/create-mcp-server.ts'
import { isOurs, mountTools } from '../../mcp/mount-tools.ts'
import { writerOf } from '../writer.ts'
import type { OpenClient } from './endpoint.ts'

/** Opens the calls of a token's client: its own session, which knows what the token's other calls have read. */
export const openMcpClient: OpenClient = async (caller, { place, contracts }) => {
  const [contract = OWN_CONTRACT] = contracts
  const kit = await place.sessionFor(caller, { contract, isOwn: true })
  const tools = await mountTools(kit, contracts)
  const ours = new Set([...tools.values()].filter(isOurs).map(({ name }) => name))
  return clientCalls(
    { root: place.kit.root, ours, open: async () => ({ workspace: place.kit, kit, tools }) },
    {
      ...(place.approvalMs > 0 && { approvalMs: place.approvalMs }),
      callerName: client => `${client}, ${writerOf(caller)}`,
    },
  )
}

const OWN_CONTRACT = 'toolwright'
