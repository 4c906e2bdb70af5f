import { bound } from '../guards/limits.ts'
import type { AnyTool, Contract } from '../kernel/contract.ts'
import { ToolError } from '../kernel/error.ts'
import { redactorFor } from './conceal.ts'
import type { Session } from './session.ts'
import type { Trail } from './trail.ts'

/** The answer as its schema promises it, cut to a preview where it is too long. */
export function fit<Engines>(
  session: Session<Engines>,
  contract: Contract<Engines>,
  tool: AnyTool<Engines>,
  raw: unknown,
  trail: Trail,
  mostBytes = Infinity,
): { readonly data: unknown; readonly bytes: number } {
  const parsed = tool.output.safeParse(raw)
  if (!parsed.success)
    throw new ToolError(
      'invalid_result',
      `'${contract.id}/${tool.name}' gave an answer that does not fit its own schema`,
      { details: { issues: parsed.error.issues } },
    )
  const told = abridge(tool, parsed.data)
  const { data, cut, bytes, ref } = bound(told, {
    maxBytes: Math.min(mostBytes, contract.answerBytes ?? session.answerBytes),
    keepsEnd: tool.keepsEnd ?? false,
    keep: text => session.machine.keep(redactorFor(session.revealed).text(text)),
    pages: () => tool.output.safeParse({ ...Object(parsed.data), next: { skip: 1 } }).data?.next !== undefined,
  })
  trail.bytes = told === parsed.data ? bytes : Buffer.byteLength(JSON.stringify(parsed.data))
  if (ref !== undefined) trail.landed = { ...trail.landed, ref: `ref:${ref}`, bytes }
  return { data: cut ? data : parsed.data, bytes: trail.bytes }
}

/** An answer without what only programs use. */
export const abridge = (tool: Trail['tool'], data: unknown): unknown => tool?.abridge?.(data) ?? data
