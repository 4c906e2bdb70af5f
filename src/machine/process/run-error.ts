import { ToolError } from '../../kernel/error.ts'
import type { RefusedStart } from '../../kernel/start-rules.ts'
import { pastFileLimit } from './file-limit.ts'
import type { Exit, Limits, SandboxReport } from './sandbox/types.ts'
import { formatLimit } from './format-limit.ts'
import type { Ran } from './types.ts'

/** Why a command was ended before it was done; what it had printed by then goes with it. */
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
  const lost = direct ? 'what it changed by then stays' : 'nothing that it changed is kept'
  if (why === 'wall')
    return new ToolError('timeout', `The command took longer than ${limits.wallMs / 1000} s and was ended`, {
      hint: `Give it more time, or run less at once; what it printed is in the details, and ${lost}`,
      details,
    })
  if (why === 'cancelled') return new ToolError('cancelled', 'The command was cancelled by its caller', { details })
  return new ToolError('quota', `The command was ended: it ${LIMITS[why](limits)}`, {
    hint: `What it printed until then is in the details; ${lost}`,
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

/** A program that went on without one of its steps has done something else than it says. */
export function leftHalfDone(
  { program, refused }: { readonly program: string; readonly refused: RefusedStart },
  ran: Ran,
  direct: boolean,
): ToolError {
  const lost = direct ? 'what it changed stays' : 'nothing that it changed is kept'
  return new ToolError(
    'denied',
    `'${program}' was left half done: its step '${refused.command}' did not start, ${refused.why}`,
    {
      hint: `What it printed is in the details; ${lost}. A rule with "depth": "line" leaves the steps of programs alone`,
      details: { ...printedBy(ran), ...(refused.rule !== undefined && { rule: refused.rule }) },
    },
  )
}

/** What somebody else changed meanwhile makes the command's work worthless, but not what it said. */
export function withPrinted(error: unknown, ran: Ran): unknown {
  if (!(error instanceof ToolError)) return error
  return new ToolError(error.code, error.message, {
    ...(error.hint !== undefined && { hint: error.hint }),
    details: { ...error.details, ...printedBy(ran) },
    cause: error,
  })
}

const printedBy = ({ exitCode, stdout, stderr, stdoutLines, stderrLines }: Ran) => ({
  exitCode,
  stdout,
  stderr,
  stdoutLines,
  stderrLines,
})

/** No command runs where nothing holds it. */
export const noSandbox = ({ cause, mend }: SandboxReport): ToolError =>
  new ToolError('unavailable', `Commands cannot run here: ${cause ?? 'there is no sandbox'}`, {
    hint: `${mend ? `Mend it with: ${mend}. ` : ''}Whoever accepts the risk can write "sandbox": "off" in their own configuration`,
  })
