import type { CallContext } from '../../kernel/tool.ts'
import { claimedLine, type CommandParts, type CommandPlace } from './command-place.ts'
import { guardStarts, refusalWarnings } from './guard-starts.ts'
import { prepareCommand } from './prepare-command.ts'
import { limitsOf } from './run.ts'
import { directTree } from './tree-for.ts'
import type { BackgroundState, RunSpec } from './types.ts'
import { openNetworkAccess } from './network-access.ts'

/** Days, not hours: it ends when stopped or with this process. */
const LONGEST_MS = 7 * 86_400_000

/** Starts a command that outlives its call and writes to the workspace directly. */
export async function startCommand(
  parts: CommandParts,
  place: CommandPlace,
  spec: RunSpec,
  call: CallContext,
): Promise<BackgroundState> {
  const command = claimedLine(spec, place.claims)
  parts.background.ensureRoom()
  const { ready, stdin, common } = await prepareCommand(parts, place, spec, call)
  const { sandbox, report } = ready
  const limits = limitsOf(parts, { ...spec, timeoutMs: spec.timeoutMs ?? LONGEST_MS })
  const { sweep, mark, ...tree } = directTree(parts, place)
  const way = await openNetworkAccess(parts, place, ready)
  const unmark = mark()
  try {
    place.begin({ durable: true, direct: true })
    // Its call ends before a person could be asked.
    const starts = place.starts && guardStarts(place.starts, undefined)
    const commandProcess = sandbox.start({
      ...common,
      ...tree,
      ...(starts && { starts: starts.guard }),
      network: way?.network,
      limits: { ...limits, cpuSeconds: Math.max(limits.cpuSeconds, LONGEST_MS / 1000) },
      stdin: 'pipe',
    })
    if (stdin !== undefined) commandProcess.stdin?.write(stdin)
    call.note?.({ sandbox: parts.off ? 'off' : report.situation, direct: true })
    return parts.background.add(commandProcess, {
      command,
      outputBytes: limits.outputBytes * 16,
      conceal: call.conceal,
      sweep,
      refusals: () => refusalWarnings(starts?.refused ?? []),
      ended() {
        unmark()
        void way?.close()
      },
    })
  } catch (error) {
    unmark()
    await way?.close()
    throw error
  }
}
