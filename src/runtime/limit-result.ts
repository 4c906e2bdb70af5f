import type { AnswerRoom } from '../kernel/answer-room.ts'
import type { AnyTool, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { redactorFor } from './redact-outcome.ts'
import type { Session } from './session.ts'
import type { CallTrace } from './call-trace.ts'

/** Validates an answer against its schema, unless its tool is trusted, and cuts it if it is too long. */
export async function limitResult<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  tool: AnyTool<Engines>,
  raw: unknown,
  trail: CallTrace,
  room: AnswerRoom | undefined,
): Promise<{ readonly data: unknown; readonly bytes: number }> {
  const whole = tool.trusted && !session.checksAnswers ? raw : matched(contract, tool, raw)
  const told = abridge(tool, whole)
  const most = contract.answerBytes ?? session.answerBytes
  const fits = async (part: unknown, own: string | undefined = JSON.stringify(part)): Promise<boolean> => {
    const size = Buffer.byteLength(own ?? '')
    if (!room) return size <= most
    const shown = await room.sizeOf(part, own)
    // The form that the caller gets may be far shorter than the JSON.
    return shown <= room.most && Math.min(shown, size) <= most
  }
  const json: string | undefined = JSON.stringify(told)
  if (json !== undefined) trail.encoded = { value: told, json }
  const bytes = Buffer.byteLength(json ?? '')
  trail.bytes = told === whole ? bytes : bytesOf(whole)
  if (await fits(told, json)) return { data: whole, bytes: trail.bytes }
  const { bound } = await import('../guards/limits.ts')
  const redactor = redactorFor(session.revealed)
  // Before the cut: half a secret could not be recognized any more.
  const { data, ref } = await bound(redactor.value(told), {
    fits: part => fits(part),
    keepsEnd: tool.keepsEnd ?? false,
    keep: text => session.machine.keep(redactor.text(text)),
    pages: () => tool.output.safeParse({ ...Object(whole), next: { skip: 1 } }).data?.next !== undefined,
  })
  trail.landed = { ...trail.landed, ref: `ref:${ref}`, bytes }
  return { data, bytes: trail.bytes }
}

function matched<Engines>(contract: Contract<Engines>, tool: AnyTool<Engines>, raw: unknown): unknown {
  const parsed = tool.output.safeParse(raw)
  if (parsed.success && !(tool.trusted && JSON.stringify(parsed.data) !== JSON.stringify(raw))) return parsed.data
  throw new ToolError(
    'invalid_result',
    `'${contract.id}/${tool.name}' returned an answer that does not match its own schema`,
    { details: { issues: parsed.error?.issues ?? ['The schema changes it, so the tool cannot be trusted'] } },
  )
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

/** Returns an answer without the parts that only programs use. */
export const abridge = (tool: CallTrace['tool'], data: unknown): unknown => tool?.abridge?.(data) ?? data
