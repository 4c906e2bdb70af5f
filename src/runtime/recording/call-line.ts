import { hash } from 'node:crypto'
import type { Call } from '../../kernel/contract.ts'
import type { Outcome } from '../../kernel/outcome.ts'
import type { Mounted } from '../run.ts'
import { failureOf } from './failure.ts'
import type { SessionRecording } from './recording-session.ts'
import { maskIn } from './mask.ts'
import { pack } from './pack.ts'
import type { CallLine, Event, RecordedOptions } from './recording.ts'
import type { Trace } from './tracing.ts'

interface Recorded<Engines> {
  readonly session: number
  readonly mounted: Mounted<Engines>
  readonly call: Call
  readonly options: RecordedOptions
  readonly trace: Trace
  readonly heard: SessionRecording
  readonly ran: { readonly outcome: Outcome; readonly answer: unknown }
  /** Every secret that the session knows. */
  readonly revealed: ReadonlyMap<string, string>
  readonly leftOut?: string
}

/** Returns the line of a finished call, without any secret. */
export function callLine<Engines>(recordedCall: Recorded<Engines>): CallLine {
  const { session, mounted, call, options, trace, heard, ran, revealed } = recordedCall
  const { contract } = mounted
  const version = contract.tools.find(({ name }) => name === call.name)?.version
  const mask = <T>(value: T): T => maskIn(value, revealed)
  const input = packedInput(call)
  const request = { tool: call.name, ...('is' in input && { input: input.is }), options }
  const safe = mask(request)
  const raw = trace.events.map(event => settleEvent(event, ran.outcome))
  const events = raw.map(mask)
  const hasMasks = events.some((event, at) => event !== raw[at])
  const leftOut =
    recordedCall.leftOut ??
    trace.broken() ??
    whyLeftOut(input, safe !== request, hasMasks && ran.outcome.meta.ref !== undefined)
  return {
    type: 'call',
    session,
    contract: contract.id,
    ...safe,
    ...(version !== undefined && { version }),
    seen: heard.seen ?? 0,
    clock: {
      now: heard.now,
      elapsed: heard.elapsed,
      id: heard.id,
      ...(heard.processor.length > 0 && { processor: heard.processor }),
    },
    events: events.map(digestEvent),
    ok: ran.outcome.ok,
    answer: mask(pack(ran.answer)),
    ...(heard.record && { record: mask(recordFacts(heard.record)) }),
    ...(hasMasks && { masked: true as const }),
    ...(leftOut !== undefined && { leftOut }),
  }
}

/** Returns a record without facts that only mean something in its own process. */
export function recordFacts(record: object): unknown {
  const { stack: _stack, ...facts }: { stack?: unknown } = record
  return pack(facts)
}

/** Replaces a text stored beside the journal by its hash: it is large, and the engines' results hold it already. */
export function digestEvent(event: Event): Event {
  if (event.on !== 'keep' || !Array.isArray(event.args)) return event
  const [text] = event.args
  return { ...event, args: [{ bytes: Buffer.byteLength(String(text)), sha256: hash('sha256', String(text)) }] }
}

function packedInput({ input }: Call): { readonly is: unknown } | { readonly why: string } {
  try {
    return { is: pack(input) }
  } catch (cause) {
    return { why: cause instanceof Error ? cause.message : String(cause) }
  }
}

/** An event without a result at the end is what ended the call. */
function settleEvent({ unsettled, notes = [], ...event }: Event, outcome: Outcome): Event {
  return {
    ...event,
    ...(unsettled && (outcome.ok ? { unsettled } : { threw: failureOf(outcome.error) })),
    ...(notes.length > 0 && { notes }),
  }
}

function whyLeftOut(input: object, isMasked: boolean, isCut: boolean): string | undefined {
  if ('why' in input) return `its input ${String(input.why)}`
  if (isMasked) return 'a secret was removed from its input'
  return isCut ? 'its answer was cut, and a secret was removed from it' : undefined
}
