import type { AnswerRoom } from '../kernel/answer-room.ts'
import type { AnyTool, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { referenceId } from '../kernel/reference.ts'
import type { Printed } from '../kernel/run-facts.ts'
import { keptOrigin } from './kept-origin.ts'
import { redactorFor } from './redact-outcome.ts'
import type { Session } from './session.ts'
import type { CallTrace } from './call-trace.ts'

interface Limited {
  readonly data: unknown
  readonly bytes: number
}

/** Validates an answer against its schema, unless its tool is trusted, and cuts it if it is too long. */
export function limitResult<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  tool: AnyTool<Engines>,
  raw: unknown,
  trail: CallTrace,
  sizeLimit: AnswerRoom | undefined,
): Limited | Promise<Limited> {
  const whole = tool.trusted && !session.checksAnswers ? raw : matchSchema(contract, tool, raw)
  const abridgedData = abridge(tool, whole)
  const mostBytes = contract.answerBytes ?? session.answerBytes
  const json: string | undefined = JSON.stringify(abridgedData)
  const bytes = Buffer.byteLength(json ?? '')
  if (json !== undefined) trail.encoded = { value: abridgedData, json, bytes }
  trail.bytes = abridgedData === whole ? bytes : bytesOf(whole)
  const wholeAnswer = { data: whole, bytes: trail.bytes }
  const cut = () => cutToSize(session, tool, { whole, told: abridgedData, bytes, mostBytes }, trail, sizeLimit)
  if (!sizeLimit) return bytes <= mostBytes ? wholeAnswer : cut()
  const shownSize = sizeLimit.sizeOf(abridgedData, json)
  if (typeof shownSize === 'number') return isWithinLimits(shownSize, bytes, mostBytes, sizeLimit) ? wholeAnswer : cut()
  return shownSize.then(characters => (isWithinLimits(characters, bytes, mostBytes, sizeLimit) ? wholeAnswer : cut()))
}

/** The form that the caller gets may be far shorter than the JSON. */
const isWithinLimits = (shown: number, bytes: number, mostBytes: number, room: AnswerRoom): boolean =>
  shown <= room.most && Math.min(shown, bytes) <= mostBytes

interface TooLong {
  readonly whole: unknown
  readonly told: unknown
  readonly bytes: number
  readonly mostBytes: number
}

async function cutToSize<Engines>(
  session: Session<Engines>,
  tool: AnyTool<Engines>,
  { whole, told, bytes, mostBytes }: TooLong,
  trail: CallTrace,
  room: AnswerRoom | undefined,
): Promise<Limited> {
  const { bound } = await import('../guards/limits.ts')
  const redactor = redactorFor(session.revealed)
  // Before the cut: half a secret could not be recognized any more.
  const {
    data,
    ref,
    bytes: wholeBytes,
  } = await bound(redactor.value(told), {
    fits: async part =>
      room ? isWithinLimits(await room.sizeOf(part), bytesOf(part), mostBytes, room) : bytesOf(part) <= mostBytes,
    keepsEnd: tool.keepsEnd ?? false,
    keep: text => session.machine.keep(redactor.text(text), keptOrigin(session, trail)),
    stored: storedStreams(trail.facts?.printed),
    pages: () => tool.output.safeParse({ ...Object(whole), next: { skip: 1 } }).data?.next !== undefined,
  })
  trail.landed = { ...trail.landed, ref: `ref:${ref}`, bytes: wholeBytes }
  return { data, bytes: trail.bytes ?? bytes }
}

/** Maps the text of each stream of a command to what is stored of it. */
const storedStreams = ({ stdout, stderr, kept }: Printed = { stdout: '', stderr: '' }) =>
  new Map(
    [[stdout, kept?.stdout] as const, [stderr, kept?.stderr] as const].flatMap(([text, stream]) => {
      const ref = stream && referenceId(stream.ref)
      return stream && ref !== undefined ? [[text, { ref, bytes: stream.bytes }] as const] : []
    }),
  )

function matchSchema<Engines>(contract: Contract<Engines>, tool: AnyTool<Engines>, raw: unknown): unknown {
  const validation = tool.output.safeParse(raw)
  if (validation.success && !(tool.trusted && JSON.stringify(validation.data) !== JSON.stringify(raw)))
    return validation.data
  throw new ToolError(
    'invalid_result',
    `'${contract.id}/${tool.name}' returned an answer that does not match its own schema`,
    { details: { issues: validation.error?.issues ?? ['The schema changes it, so the tool cannot be trusted'] } },
  )
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Returns an answer without the parts that only programs use. */
export const abridge = (tool: CallTrace['tool'], data: unknown): unknown => tool?.abridge?.(data) ?? data
