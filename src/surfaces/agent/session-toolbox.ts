import { levelsOf } from '../../guards/policy/hidden-paths.ts'
import { policyPrint, readLimits } from '../../guards/policy/read-limits.ts'
import type { Claim } from '../../kernel/claim.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import { keptText } from '../../machine/journal/kept-text.ts'
import type { CallResult } from '../../agent/run-events.ts'
import type { AgentTool, Toolbox } from '../../agent/toolbox.ts'
import { isDeepStrictEqual } from 'node:util'
import type { Card } from '../../runtime/questions.ts'
import type { SessionHandle, Toolkit } from '../../toolkit.ts'
import { callResult, roomFor } from '../mcp/call-result.ts'
import { compactForm } from '../mcp/compact-form.ts'
import { instructions } from '../mcp/instructions.ts'
import { isOurs, mountTools, taskOf, type MountedTool } from '../mcp/mount-tools.ts'

/** Returns the tools of these contracts as a run gets them: described as over MCP, with answers written for models. */
export async function sessionToolbox(
  kit: Pick<Toolkit, 'root' | 'workspace'>,
  session: SessionHandle,
  contracts: readonly string[],
  { isStaged = false }: { readonly isStaged?: boolean } = {},
): Promise<Toolbox> {
  const all = await mountTools(session, contracts)
  // What is staged lands when the run is over, by whoever started it.
  const mounted = isStaged ? new Map([...all].filter(([, tool]) => !(isOurs(tool) && tool.name === 'stage'))) : all
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
      const asked = askedWhenAborted(session, signal)
      const ran = await session.run(tool.name, input, {
        contract: tool.contract,
        ...(task !== undefined && { task }),
        signal,
        abridged: true,
        ...(isOurs(tool) && { room: roomFor(tool.name, false) }),
      })
      const { content, isError = false } = await callResult(tool, ran, { structured: false, tools: onWire })
      const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n')
      const images = content.flatMap(part =>
        part.type === 'image' ? [{ mediaType: part.mimeType, base64: part.data }] : [],
      )
      claims.set(text, ran.outcome.meta.claims)
      const isPending = asked.some(
        card => card.tool === `${tool.contract}/${tool.name}` && isDeepStrictEqual(pick(card.input, input), input),
      )
      if (isPending && !ran.outcome.ok) return { text, ok: false, isPending, ...factsOf(ran.outcome) }
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

/** Returns the list of the questions that were open when the signal was aborted; it is empty until then. */
function askedWhenAborted(session: SessionHandle, signal: AbortSignal): readonly Card[] {
  const cards: Card[] = []
  signal.addEventListener('abort', () => cards.push(...session.questions.pending().map(({ card }) => card)), {
    once: true,
  })
  return cards
}

/** Returns the parameters that were given; a schema adds others. */
const pick = (input: unknown, given: object): unknown =>
  Object.fromEntries(Object.entries(Object(input)).filter(([key]) => Object.hasOwn(given, key)))
