import { statSync } from 'node:fs'
import { z } from 'zod'
import { ToolError } from '../../kernel/error.ts'
import { once } from '../../kernel/once.ts'
import { readOwnFile, writePrivateFile } from './private-file.ts'

/** Built when rules are first read, so that a workspace without rules does not wait for it. */
const Rule = once(() =>
  z.strictObject({
    id: z.string().min(1),
    /** `contract/name`, or the bare name. */
    tool: z.string().min(1),
    /** A regular expression over the canonical parameters. */
    pattern: z.string().optional(),
    /** Claims that the tool's calls may make. */
    grants: z
      .array(
        z.strictObject({
          action: z.enum(['read', 'create', 'write', 'exec', 'net', 'reveal', '*']),
          path: z.string().optional(),
          command: z.string().optional(),
          host: z.string().optional(),
          secret: z.string().optional(),
          exact: z.literal(true).optional(),
          asRule: z.literal(true).optional(),
        }),
      )
      .optional(),
    scope: z.enum(['task', 'session', 'workspace', 'user']),
    task: z.string().optional(),
    session: z.string().optional(),
    workspace: z.string().optional(),
    by: z.string().min(1),
    at: z.iso.datetime(),
    expiresAt: z.iso.datetime().optional(),
    lastUsed: z.iso.datetime().optional(),
    enabled: z.boolean(),
    /** Expired once: setting the clock back does not revive it. */
    expired: z.literal(true).optional(),
    /** The tool at the time of the approval, or a tool known only to its own program; absent in old files. */
    made: z
      .union([z.strictObject({ major: z.int(), effects: z.array(z.string()).readonly() }), z.literal('any')])
      .optional(),
    /** The rules that asked then, in their own words. */
    asked: z.array(z.string()).readonly().optional(),
    /** The sha256 of what its commands ran from the workspace, by name. */
    runs: z.record(z.string(), z.string()).readonly().optional(),
    why: z.string().optional(),
  }),
)

const File = once(() => z.strictObject({ version: z.literal(1), rules: z.array(Rule()) }))

/** A rule that a person created with `always` or by hand. */
export type StoredApproval = Readonly<Omit<z.infer<ReturnType<typeof Rule>>, 'grants'>> & {
  readonly grants?: readonly Readonly<NonNullable<z.infer<ReturnType<typeof Rule>>['grants']>[number]>[] | undefined
}

interface LoadedApprovals {
  readonly rules: readonly StoredApproval[]
  /** Reason why there are none, if the file is unusable. */
  readonly problem?: ToolError
  /** Changes with every change of the file. */
  readonly stamp: string
}

/** Reads the rules. Returns the previous result while the file is unchanged. */
export function loadApprovals(file: string, before?: LoadedApprovals): LoadedApprovals {
  const stamp = stampOf(file)
  if (before && before.stamp === stamp) return before
  if (stamp === '') return { rules: [], stamp }
  try {
    return { rules: File().parse(JSON.parse(readOwnFile(file, true).toString('utf8'))).rules, stamp }
  } catch (cause) {
    const reason = cause instanceof z.ZodError ? z.prettifyError(cause) : String(cause)
    const problem = new ToolError('io', `The approval rules in ${file} cannot be used: ${reason}`, {
      hint: 'Repair the file or delete it; until then no stored rule counts.',
      cause,
    })
    return { rules: [], stamp, problem }
  }
}

/** Validates before writing: what could not be loaded again is not saved. */
export function saveApprovals(file: string, rules: readonly StoredApproval[]): void {
  const approvals = File().parse({ version: 1, rules })
  writePrivateFile(file, `${JSON.stringify(approvals, null, 2)}\n`)
}

function stampOf(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}` : ''
}
