import { isDeepStrictEqual } from 'node:util'
import type { PastStep } from '../../guards/workflow.ts'
import type { Contract } from '../../kernel/contract.ts'
import { createRegistry } from '../registry.ts'
import { run } from '../run.ts'
import { recordFacts } from './call-line.ts'
import { maskIn } from './mask.ts'
import { pack, unpack } from './pack.ts'
import { replayingSession } from './replaying-session.ts'
import type { RecordedCall, Recording } from './read-recording.ts'
import { replayRoom } from './recorded-room.ts'
import { createTape } from './tape.ts'

/** A difference between a call and its replay. */
export interface Difference {
  /** In the answer, in the journal record, or in the requests to the machine. */
  readonly where: 'answer' | 'record' | 'request'
  readonly recorded: unknown
  readonly now: unknown
}

/** State that calls of one session leave to later ones. */
interface Before {
  readonly history: readonly PastStep[]
  readonly revealed: Map<string, string>
}

/** Replays one recorded call on the recorded results of the engines. Everything else is real. */
export async function replayCall<Engines>(
  { textOf }: Recording,
  { session, call }: RecordedCall,
  contract: Contract<Engines>,
  { history, revealed }: Before,
): Promise<Difference | undefined> {
  const caller = new AbortController()
  const { signal, room, ...options } = call.options
  if (signal === 'aborted') caller.abort()
  const tape = createTape(call, { textOf, revealed, abort: () => caller.abort() })
  let record: object | undefined
  const { answer } = await run(
    replayingSession<Engines>(session, call, tape, {
      history: history.slice(0, call.seen),
      revealed,
      record: entry => void (record = entry),
    }),
    { contract, registry: createRegistry(contract.tools, { readOnly: session.readOnly }) },
    { name: call.tool, input: unpack(call.input, textOf) },
    {
      ...options,
      ...(signal && { signal: caller.signal }),
      ...(room && { room: replayRoom(room) }),
    },
  )
  const mismatch = tape.mismatch()
  // A request without a recorded result is what changed the answer.
  if (mismatch?.now !== undefined) return { where: 'request', ...mismatch }
  const plain = (value: unknown) => pack(unpack(value, textOf))
  const isMasked = call.masked ?? false
  const pairs = [
    { where: 'answer', recorded: plain(call.answer), now: maskIn(pack(answer), revealed) },
    {
      where: 'record',
      recorded: comparable(plain(call.record), isMasked),
      now: comparable(record && maskIn(recordFacts(record), revealed), isMasked),
    },
  ] as const
  const different = pairs.find(({ recorded, now }) => !isDeepStrictEqual(recorded, now))
  return different ?? (mismatch && { where: 'request', ...mismatch })
}

/**
 * Drops the version of a tool, which is compared apart. If a secret was removed from the engines' results, drops sizes
 * and what the journal masks.
 */
function comparable(record: unknown, isMasked: boolean): unknown {
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => key !== 'version' && !(isMasked && UNSURE.has(key))),
  )
}

const UNSURE = new Set(['bytes', 'input', 'inputRef', 'output', 'outputRef', 'printed', 'printedRef'])
