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
): { readonly data: unknown; readonly bytes: number } {
  const parsed = tool.output.safeParse(raw)
  if (!parsed.success)
    throw new ToolError(
      'invalid_result',
      `'${contract.id}/${tool.name}' gave an answer that does not fit its own schema`,
      { details: { issues: parsed.error.issues } },
    )
  const { data, bytes, ref } = bound(parsed.data, {
    maxBytes: contract.answerBytes ?? session.answerBytes,
    keep: text => session.machine.keep(redactorFor(session.revealed).text(text)),
    pages: () => tool.output.safeParse({ ...Object(parsed.data), next: { skip: 1 } }).data?.next !== undefined,
  })
  trail.bytes = bytes
  if (ref !== undefined) trail.landed = { ...trail.landed, ref: `ref:${ref}`, bytes }
  return { data, bytes }
}
