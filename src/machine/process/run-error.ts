import { ToolError } from '../../kernel/error.ts'
import type { Printed } from '../../kernel/run-facts.ts'
import type { RefusedStart } from '../../kernel/start-rules.ts'
import { pastFileLimit } from './file-limit.ts'
import type { Exit, Limits, SandboxReport } from './sandbox/types.ts'
import { formatLimit } from './format-limit.ts'
import type { Ran } from './types.ts'

/** Error for a command that was ended early, with its output so far. */
export function endedBy(
  why: NonNullable<Exit['ended']> | 'file',
  ran: Ran,
  limits: Limits,
  direct: boolean,
): ToolError {
  const { truncated, durationMs, signal } = ran
  const details = {
    ...printedBy(ran),
    truncated,
    durationMs,
    timeoutMs: limits.wallMs,
    ...(signal && { signal }),
    limit: why,
    ...(direct && { direct }),
  }
  const fateOfChanges = direct ? 'its changes so far stay' : 'its changes were discarded'
  if (why === 'wall')
    return new ToolError('timeout', `The command took longer than ${limits.wallMs / 1000} s and was ended`, {
      hint: `Give it more time, or run less at once; its output is in the details, and ${fateOfChanges}`,
      details,
    })
  if (why === 'cancelled') return new ToolError('cancelled', 'The command was cancelled by its caller', { details })
  return new ToolError('quota', `The command was ended: it ${LIMITS[why](limits)}`, {
    hint: `Its output so far is in the details; ${fateOfChanges}`,
    details,
  })
}

const LIMITS: Readonly<
  Record<Exclude<NonNullable<Exit['ended']> | 'file', 'wall' | 'cancelled'>, (limits: Limits) => string>
> = {
  cpu: ({ cpuSeconds }) => `used more than ${cpuSeconds} s of processor time`,
  memory: ({ memoryBytes }) => `used more than ${formatLimit(memoryBytes)} of memory`,
  output: ({ outputBytes }) => `printed more than ${formatLimit(outputBytes)}`,
  processes: ({ processes }) => `started more than ${processes} processes`,
  written: ({ writtenBytes }) => `wrote more than ${formatLimit(writtenBytes)} to the workspace`,
  file: ({ fileBytes }) => pastFileLimit(fileBytes),
}

/** A program that continued without one of its steps has not done what it reports. */
export function leftHalfDone(
  { program, refused }: { readonly program: string; readonly refused: RefusedStart },
  ran: Ran,
  direct: boolean,
): ToolError {
  const fateOfChanges = direct ? 'its changes stay' : 'its changes were discarded'
  return new ToolError(
    'denied',
    `'${program}' was left half done: its step '${refused.command}' did not start, ${refused.why}`,
    {
      hint: `Its output is in the details; ${fateOfChanges}. A rule with "depth": "line" leaves the steps of programs alone`,
      details: { ...printedBy(ran), ...(refused.rule !== undefined && { rule: refused.rule }) },
    },
  )
}

/** Adds the output to a conflict error: the command's changes are lost, but its output is still useful. */
export function withPrinted(error: unknown, ran: Ran): unknown {
  if (!(error instanceof ToolError)) return error
  return new ToolError(error.code, error.message, {
    ...(error.hint !== undefined && { hint: error.hint }),
    details: { ...error.details, ...printedBy(ran) },
    cause: error,
  })
}

const printedBy = ({ exitCode, stdoutLines, stderrLines, ...ran }: Ran) => ({
  exitCode,
  ...printedOf(ran),
  stdoutLines,
  stderrLines,
})

/** Returns the texts of a command, with where its bytes are. */
export const printedOf = ({ stdout, stderr, kept, outputNotes }: Printed): Printed => ({
  stdout,
  stderr,
  ...(kept && { kept }),
  ...(outputNotes && { outputNotes }),
})

/** Refuses to run a command without a sandbox. */
export const noSandbox = ({ cause, fix }: SandboxReport): ToolError =>
  new ToolError('unavailable', `Commands cannot run here: ${cause ?? 'there is no sandbox'}`, {
    hint: `${fix ? `Fix it with: ${fix}. ` : ''}A user who accepts the risk can set "sandbox": "off" in their own configuration`,
  })
