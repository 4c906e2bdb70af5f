import { loadCommandParsers } from '../../guards/policy/command-parser.ts'
import type { PastStep } from '../../guards/workflow.ts'
import type { Contract } from '../../kernel/contract.ts'
import type { Recording } from './read-recording.ts'
import type { SessionLine } from './recording.ts'
import { replayCall, type Difference } from './replay-call.ts'

/** The result of replaying one call. */
export interface Replayed {
  readonly line: number
  /** `contract/name`. */
  readonly tool: string
  readonly difference?: Difference
  /** Why it was not replayed. */
  readonly leftOut?: string
  /** The recorded version of the tool differs from the current one. */
  readonly versions?: { readonly recorded?: string; readonly now?: string }
}

/** Replays the calls of a recording in order, without touching the machine. */
export async function* replay<Engines>(
  recording: Recording,
  loadContract: (id: string) => Promise<Contract<Engines>>,
): AsyncGenerator<Replayed> {
  await loadCommandParsers()
  const sessions = new Map<SessionLine, { history: PastStep[]; revealed: Map<string, string> }>()
  for (const recordedCall of recording.calls) {
    const { line, session, call } = recordedCall
    const before = sessions.get(session) ?? { history: [], revealed: new Map<string, string>() }
    sessions.set(session, before)
    const contract = await loadContract(call.contract)
    const tool = `${contract.id}/${call.tool}`
    const now = contract.tools.find(({ name }) => name === call.tool)?.version
    const replayedCall: Replayed = {
      line,
      tool,
      ...(now !== call.version && {
        versions: { ...(call.version !== undefined && { recorded: call.version }), ...(now !== undefined && { now }) },
      }),
    }
    if (call.leftOut === undefined) {
      const difference = await replayCall(recording, recordedCall, contract, before)
      yield difference ? { ...replayedCall, difference } : replayedCall
    } else yield { ...replayedCall, leftOut: call.leftOut }
    before.history.push({ tool, ok: call.ok })
  }
}
