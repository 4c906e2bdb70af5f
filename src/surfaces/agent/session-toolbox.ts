import { levelsOf } from '../../guards/policy/hidden-paths.ts'
import { policyPrint, readLimits } from '../../guards/policy/read-limits.ts'
import type { Claim } from '../../kernel/claim.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { keptText } from '../../machine/journal/kept-text.ts'
import type { CallResult } from '../../agent/run-events.ts'
import type { AgentTool, Toolbox } from '../../agent/toolbox.ts'
import type { Ran } from '../../runtime/session-handle.ts'
import type { SessionHandle, Toolkit } from '../../toolkit.ts'
import { callResult, roomFor } from '../mcp/call-result.ts'
import { compactForm } from '../mcp/compact-form.ts'
import { instructions } from '../mcp/instructions.ts'
import { isOurs, mountTools, taskOf, type MountedTool } from '../mcp/mount-tools.ts'

/** Called with each call of a run that is over. */
type OnRan = (ran: Ran) => void

/** Returns the tools of these contracts as a run gets them: described as over MCP, with answers written for models. */
export async function sessionToolbox(
  kit: Pick<Toolkit, 'root' | 'workspace'>,
  session: SessionHandle,
  contracts: readonly string[],
  onRan: OnRan,
): Promise<Toolbox> {
  const mounted = await mountTools(session, contracts)
  const ourTools = [...mounted].filter(([, tool]) => isOurs(tool))
  const onWire = new Map(ourTools.map(([wire, tool]) => [tool.name, wire]))
  const claims = new Map<string, readonly Claim[]>()
  return {
    tools: [...mounted].map(([name, tool]) => agentTool(name, tool)),
    instructions: instructions(kit.root, new Set(ourTools.map(([name]) => name))),
    async call(name, given, { signal }) {
      const tool = mounted.get(name)
      if (!tool) return unknownTool(session, name, given, [...mounted.keys()])
      const { input, task } = taskOf(tool, Object(given))
      const ran = await session.run(tool.name, input, {
        contract: tool.contract,
        ...(task !== undefined && { task }),
        signal,
        abridged: true,
        ...(isOurs(tool) && { room: roomFor(tool.name, false) }),
      })
      onRan(ran)
      const { content, isError = false } = await callResult(tool, ran, { structured: false, tools: onWire })
      const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
      const images = content.flatMap(part =>
        part.type === 'image' ? [{ mediaType: part.mimeType, base64: part.data }] : [],
      )
      claims.set(text, ran.outcome.meta.claims)
      return { text, ok: !isError, ...(images.length > 0 && { images }), ...factsOf(ran.outcome) }
    },
    keep(text) {
      if (!onWire.has('read')) return undefined
      const policy = session.policy()
      const origin = {
        claims: claims.get(text) ?? [],
        commands: true as const,
        limits: readLimits(policy, false),
        own: { session: session.id, policy: levelsOf(policy).map(policyPrint) },
      }
      return `ref:${kit.workspace.payloads.put(keptText(text, origin))}`
    },
  }
}

function agentTool(name: string, tool: MountedTool): AgentTool {
  const form = tool.form()
  const { description, inputSchema } = isOurs(tool) ? compactForm(form) : form
  return {
    name,
    description: description ?? '',
    inputSchema: { ...inputSchema, type: 'object' },
    onlyReads: form.annotations.readOnlyHint,
  }
}

function factsOf(outcome: Outcome): Omit<CallResult, 'text' | 'ok'> {
  const { id, changed, durationMs } = outcome.meta
  return {
    id,
    durationMs,
    ...(changed.length > 0 && outcome.ok && { changed }),
    ...(!outcome.ok && { code: outcome.error.code, message: outcome.error.message }),
  }
}

/** Refuses a call of an unlisted tool, and records it in the journal as a call that ended before it began. */
async function unknownTool(
  session: SessionHandle,
  name: string,
  input: unknown,
  names: readonly string[],
): Promise<CallResult> {
  const { outcome } = await session.run(name, input, { signal: AbortSignal.abort() })
  const message = `There is no tool '${name}' here`
  return {
    ok: false,
    id: outcome.meta.id,
    code: 'unknown_tool',
    message,
    text: `unknown_tool: ${message}. Tools: ${names.join(', ') || 'none'}`,
  }
}
